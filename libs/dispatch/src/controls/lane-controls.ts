import { setTimeout as delay } from 'node:timers/promises';
import { mutexModeSchema, type Clock, type MutexMode } from '@commservice/contracts';
import type { LaneControl, LaneControlStore } from '@commservice/postgres';
import type { Logger } from '@commservice/telemetry';

export interface LaneControlsOptions {
  readonly store: Pick<LaneControlStore, 'all'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between two looks, ms. Default 1 000: with one look's deadline an order holds on every pod within 2 s. */
  readonly pollMs?: number;
  /** Deadline of one look, ms. Default 800. */
  readonly deadlineMs?: number;
}

const AGAIN_MS = 500;

/**
 * What operators have ordered, as this process knows it. NEW → FOLLOWING by `start`, with the first view → STOPPED.
 * Invariants: while PostgreSQL is away the last view holds (a pause stays in force); a look that began before another ends
 * before it; nothing here waits longer than its deadline. Callers: openShared (start, stop), DispatchLane, modeInForce
 * and `GET /lanes` (what holds), ControlDesk (refresh).
 */
export class LaneControls {
  private held: readonly LaneControl[] = [];
  private byKey: ReadonlyMap<string, LaneControl> = new Map();
  /** By lane: asked on the way to every send. */
  private pauses: ReadonlyMap<string, LaneControl> = new Map();
  private readonly listeners: (() => void)[] = [];
  private looking: Promise<boolean> = Promise.resolve(true);
  private seenAtMs: number | undefined;
  private away = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LaneControlsOptions) {}

  /** Loads the first view, trying until `deadlineMs`, then follows. Rejects when there is none: a pause could be missed. */
  async start(deadlineMs: number): Promise<void> {
    const { clock } = this.options;
    const endAt = clock.monotonic() + deadlineMs;
    while (!(await this.refresh())) {
      if (clock.monotonic() > endAt) throw new Error('the controls of lanes cannot be read from PostgreSQL');
      await delay(AGAIN_MS);
    }
    this.schedule();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** The order that pauses a lane (`sms:P3`), or undefined while it sends. */
  pauseOf(lane: string): LaneControl | undefined {
    return this.pauses.get(lane);
  }

  /** The order that sets a scope's mode, or undefined while the catalogue's counts. */
  modeOf(scope: string): (LaneControl & { readonly value: MutexMode }) | undefined {
    const control = this.byKey.get(`scope-mode ${scope}`);
    return isMode(control) ? control : undefined;
  }

  /** Age of the view, ms. */
  get ageMs(): number {
    return this.options.clock.monotonic() - (this.seenAtMs ?? -Infinity);
  }

  /** `listener` is called after every change of the view. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Looks now; false when PostgreSQL did not answer in time. Never rejects. */
  refresh(): Promise<boolean> {
    this.looking = this.looking.then(() => this.look());
    return this.looking;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(
      () => void this.refresh().then(() => this.schedule()),
      this.options.pollMs ?? 1_000,
    );
    this.timer.unref();
  }

  private async look(): Promise<boolean> {
    const { store, clock, logger, deadlineMs = 800 } = this.options;
    try {
      const controls = await within(store.all(), deadlineMs);
      this.seenAtMs = clock.monotonic();
      if (this.away) logger.info({}, 'the controls of lanes are read again');
      this.away = false;
      this.take(controls);
      return true;
    } catch (err) {
      if (!this.away) logger.warn({ err }, 'the controls of lanes cannot be read; those known hold on');
      this.away = true;
      return false;
    }
  }

  private take(controls: readonly LaneControl[]): void {
    if (JSON.stringify(controls) === JSON.stringify(this.held)) return;
    const { logger } = this.options;
    const before = this.byKey;
    this.held = controls;
    this.byKey = new Map(controls.map((c) => [`${c.kind} ${c.name}`, c]));
    this.pauses = new Map(controls.filter((c) => c.kind === 'lane-pause').map((c) => [c.name, c]));
    for (const [key, { kind, name, value, actor, at }] of this.byKey) {
      if (before.get(key)?.value === value) continue;
      logger.info({ kind, name, value, actor, since: new Date(at).toISOString() }, 'an operator ordered');
    }
    for (const [key, { kind, name, value }] of before)
      if (!this.byKey.has(key)) logger.info({ kind, name, value }, "an operator's order was lifted");
    for (const listener of this.listeners) listener();
  }
}

/** A mode that only a newer build knows is none here: the catalogue's counts. */
const isMode = (control: LaneControl | undefined): control is LaneControl & { value: MutexMode } =>
  mutexModeSchema.safeParse(control?.value).success;

async function within<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const late = new AbortController();
  const timeout = delay(deadlineMs, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error(`no answer from PostgreSQL within ${deadlineMs} ms`);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    late.abort();
  }
}
