import type { Departures, Unit } from '../tokens/departures.js';

/**
 * Watches every unit that goes into and out of the tokens of one pod, and notes where one is made, lost or used twice.
 * It wraps the methods of the instance given.
 */
export class UnitLedger {
  readonly faults: string[] = [];

  /** @param used departures that were used; pods that share it notice one that two of them use */
  constructor(
    private readonly d: Departures,
    private readonly used = new Set<string>(),
  ) {
    this.wrap(d, 'add', (change, [slots]) => change === slots.length);
    this.wrap(d, 'advance', (change, _, lapsed) => change === -lapsed);
    this.wrap(d, 'surplus', (change, _, slots) => change === -slots.length);
    for (const take of ['takeP1', 'takeReady', 'takeMinimum'] as const)
      this.wrap(
        d,
        take,
        (change, [, nowMs], units) => change === -units.length && this.take(units, Number(nowMs)),
      );
    this.wrap(d, 'putBack', (change, [units], _, lapsed) => this.back(units, change + lapsed));
    this.wrap(d.standing, 'empty', (change) => change <= 0);
    this.wrap(d.standing, 'allow', (change) => change <= 0);
    this.wrap(d, 'dropDepartures', (change) => change <= 0);
  }

  private get held(): number {
    const { d } = this;
    return (
      d.pendingUnits +
      d.readyUnits +
      d.standing.size +
      d.minimumUnits(0) +
      d.minimumUnits(1) +
      d.minimumUnits(2)
    );
  }

  private wrap<T extends Record<M, (...args: never[]) => unknown>, M extends string>(
    target: T,
    method: M,
    holds: (change: number, args: Parameters<T[M]>, result: ReturnType<T[M]>, lapsed: number) => boolean,
  ): void {
    const inner = target[method].bind(target) as (...args: Parameters<T[M]>) => ReturnType<T[M]>;
    const watched = (...args: Parameters<T[M]>): ReturnType<T[M]> => {
      const [before, lapsed] = [this.held, this.d.lapsed];
      const result = inner(...args);
      const change = this.held - before;
      if (!holds(change, args, result, this.d.lapsed - lapsed))
        this.faults.push(`${method} changed ${change}`);
      return result;
    };
    Object.assign(target, { [method]: watched });
  }

  private take(units: readonly Unit[], nowMs: number): boolean {
    return units.every((u) => {
      const key = `${u.grid} ${u.slot}`;
      if (u.kind === 'stock') return true;
      const fresh = !this.used.has(key) && !(u.dueMs > nowMs);
      this.used.add(key);
      return fresh;
    });
  }

  /** Those that are not late are held again; a standing one may find the stock full. */
  private back(units: readonly Unit[], kept: number): boolean {
    const standing = units.filter((u) => u.kind === 'stock').length;
    for (const u of units) this.used.delete(`${u.grid} ${u.slot}`);
    return kept <= units.length && kept >= units.length - standing;
  }
}
