import type { Coordinator, LeaseAnswer, LeaseRequest } from '../coordinator/coordinator.js';
import { leaseRequest } from './lease-requests.js';
import { mostInASecond } from './sliding-second.js';

export interface ContractSubject {
  readonly coordinator: Coordinator;
  /** Sets the coordinator's clock. */
  readonly at: (ms: number) => void;
  /** Lets edges arrive. */
  readonly settle: (seen: () => boolean) => Promise<void>;
}

/** What every coordinator must do: run on the twin and on Redis. */
export function coordinatorContract(make: () => ContractSubject): void {
  const T = 1_700_000_000_000;
  const flood = { P1: 0, P2: 0, P3: 31 };
  let subject: ContractSubject;
  const lease = async (ms: number, over: Partial<LeaseRequest>): Promise<LeaseAnswer> => {
    subject.at(T + ms);
    const pod = over.pod ?? 'pod-a';
    const request = leaseRequest({ seenSequence: seen.get(pod) ?? 0, ...over });
    const result = await subject.coordinator.lease(request, 1000);
    if (result.kind !== 'answer') throw new Error(result.reason);
    seen.set(pod, result.answer.sequence);
    return result.answer;
  };
  const seen = new Map<string, number>();
  beforeEach(() => {
    seen.clear();
    subject = make();
  });

  it('starts an unknown scope empty: nothing departs within the horizon an earlier life may have granted', async () => {
    const first = await lease(0, { demand: flood });
    expect(Math.min(...first.slots.map((s) => s.dueMs), Infinity)).toBeGreaterThanOrEqual(T + 150);
    expect(first.stockAllowed).toBe(0);
  });

  it('grants no time twice when R changes twice in a row, and when pods disagree right after a restart', async () => {
    const first = await lease(0, { demand: flood });
    const slow = await lease(1, { pod: 'pod-b', ratePerSecond: 100, catalogueVersion: 2 });
    expect(slow.ratePerSecond).toBe(100);
    const restarted = await lease(2, { demand: flood });
    expect([...first.slots, ...restarted.slots].filter((s) => s.dueMs < T + 150)).toEqual([]);
    const before = await lease(300, { demand: flood });
    const lastMs = Math.max(...before.slots.map((s) => s.dueMs));
    await lease(301, { pod: 'pod-b', ratePerSecond: 50, catalogueVersion: 3 });
    const after = await lease(302, { pod: 'pod-b', ratePerSecond: 150, catalogueVersion: 4, demand: flood });
    expect(after.slots.filter((s) => s.dueMs <= lastMs)).toEqual([]);
  });

  it('counts the smallest R and the shares of the newest catalogue of the live pods, until they agree', async () => {
    const newer = { P1: 0.5, P2: 0.25, P3: 0.25 };
    await lease(0, {});
    const told = await lease(1, { pod: 'pod-b', ratePerSecond: 400, shares: newer, catalogueVersion: 7 });
    expect(told).toMatchObject({
      ratePerSecond: 200,
      shares: newer,
      versions: { oldest: 1, newest: 7 },
    });
    expect((await lease(2, {})).shares).toEqual(newer);
    const agreed = await lease(3, { ratePerSecond: 400, shares: newer, catalogueVersion: 7 });
    expect(agreed).toMatchObject({ ratePerSecond: 400, versions: { oldest: 7, newest: 7 } });
    // rolled back: the pods of the newer catalogue are gone
    await lease(1500, { pod: 'pod-c' });
    const back = await lease(3600, { pod: 'pod-c' });
    expect(back).toMatchObject({ ratePerSecond: 200, versions: { oldest: 1, newest: 1 } });
    expect(back.shares).toEqual({ P1: 0.2, P2: 0.3, P3: 0.5 });
  });

  it('keeps the shares while a part of a class is not heard: it is spent by the shares before', async () => {
    const half = { P1: 0.5, P2: 0.5, P3: 0.5 };
    const newer = { shares: { P1: 0.5, P2: 0.25, P3: 0.25 }, catalogueVersion: 2 };
    await lease(0, { ownership: half });
    await lease(1, { pod: 'pod-b', ownership: half });
    const apart = await lease(1000, { ownership: half, ...newer });
    expect(apart.shares).toEqual({ P1: 0.2, P2: 0.3, P3: 0.5 });
    await lease(1001, { pod: 'pod-b', ownership: half });
    expect((await lease(1002, { ownership: half, ...newer })).shares).toEqual(newer.shares);
  });

  it('gives departures of two pods no time twice, interleaved', async () => {
    await lease(0, { demand: flood });
    await lease(0, { demand: flood, pod: 'pod-b' });
    const a = await lease(200, { demand: flood });
    const b = await lease(201, { demand: flood, pod: 'pod-b' });
    const due = [
      ...a.slots.map((s) => [s.dueMs, 'a'] as const),
      ...b.slots.map((s) => [s.dueMs, 'b'] as const),
    ].sort((x, y) => x[0] - y[0]);
    expect(due.length).toBeGreaterThan(24);
    expect(new Set(due.map((d) => d[0])).size).toBe(due.length);
    const inRow = due.slice(2).filter((d, i) => d[1] === due[i]?.[1] && d[1] === due[i + 1]?.[1]);
    expect(inRow.length).toBeLessThanOrEqual(2);
  });

  it('counts holders: one pod that no longer presses does not end the hold of another', async () => {
    await lease(0, { pressing: ['P1'] });
    await lease(100, { pod: 'pod-b', pressing: ['P1'] });
    const later = await lease(200, { pod: 'pod-c', demand: flood });
    expect(later.holds).toEqual([{ priority: 'P1', pod: 'pod-b', untilMs: T + 260 }]);
    expect(later.slots).toEqual([]);
  });

  it('never shortens a hold', async () => {
    await lease(0, { pressing: ['P1'], pressForMs: 360 });
    const again = await lease(10, { pressing: ['P1'], pressForMs: 160 });
    expect(again.holds).toEqual([{ priority: 'P1', pod: 'pod-a', untilMs: T + 360 }]);
  });

  it('tells the others of a press and of slots given up', async () => {
    const seen: string[] = [];
    subject.coordinator.onEdge('sms-a', (e) =>
      seen.push(e.kind === 'press' ? `${e.kind} ${e.holds.map((h) => h.priority + h.pod).join()}` : e.kind),
    );
    await subject.settle(() => true);
    await lease(0, { demand: flood });
    const held = await lease(200, { demand: flood });
    await lease(201, { pod: 'pod-b', pressing: ['P1'], demand: { P1: 400, P2: 0, P3: 0 } });
    await lease(202, { grid: held.grid, released: held.slots.map((s) => s.slot) });
    await subject.settle(() => seen.length >= 2);
    expect(seen).toEqual(['press P1pod-b', 'freed']);
    const b = await lease(203, { pod: 'pod-b', pressing: ['P1'], demand: { P1: 400, P2: 0, P3: 0 } });
    expect(b.slots.length).toBeGreaterThan(20);
  });

  it('frees everything a leaving pod holds', async () => {
    await lease(0, { demand: flood });
    await lease(300, { demand: flood });
    await subject.coordinator.leave('sms-a', 'pod-a', 1000);
    const b = await lease(301, { pod: 'pod-b', demand: flood });
    expect(b.slots.length).toBeGreaterThanOrEqual(29);
    expect(b.pods).toBe(1);
  });

  it('lets the smallest R of any live pod count, from after what is granted', async () => {
    await lease(0, { demand: flood });
    const before = await lease(300, { demand: flood });
    const after = await lease(310, { pod: 'pod-b', ratePerSecond: 100, demand: flood });
    expect(after.ratePerSecond).toBe(100);
    expect(Math.min(...after.slots.map((s) => s.dueMs), Infinity)).toBeGreaterThan(
      Math.max(...before.slots.map((s) => s.dueMs)),
    );
  });

  it('opens the minimum share after the longest block, one unit every 50 / R seconds', async () => {
    let slots = 0;
    for (let ms = 0; ms <= 4000; ms += 100) {
      await lease(ms, { pod: 'pod-b', pressing: ['P1'] });
      const a = await lease(ms, { demand: flood, maxBlockMs: 1000 });
      slots += a.slots.length;
      expect(a.slots.every((s) => s.minimumShare)).toBe(true);
      if (ms <= 1000) expect(slots).toBe(0);
    }
    expect(slots).toBeGreaterThanOrEqual(11);
    expect(slots).toBeLessThanOrEqual(14);
  });

  it('gives no minimum share while P1 takes 80 % of R', async () => {
    for (let ms = 0; ms <= 3000; ms += 100) {
      await lease(ms, { pod: 'pod-b', pressing: ['P1'], p1Started: ms === 0 ? 1700 : 0 });
      expect((await lease(ms, { demand: flood, maxBlockMs: 1000 })).slots).toEqual([]);
    }
  });

  it('discards a state older than what a pod has seen, and starts empty', async () => {
    await lease(0, { demand: flood });
    const later = await lease(300, { demand: flood, seenSequence: 40 });
    expect(later.sequence).toBeGreaterThan(40);
    expect(Math.min(...later.slots.map((s) => s.dueMs), Infinity)).toBeGreaterThanOrEqual(T + 450);
  });

  it('waits the whole horizon of an empty state although another R comes meanwhile', async () => {
    await lease(0, { demand: flood });
    await lease(300, { demand: flood });
    await lease(310, { demand: flood, seenSequence: 40 });
    const other = await lease(320, { pod: 'pod-b', ratePerSecond: 100, demand: flood });
    expect(Math.min(...other.slots.map((s) => s.dueMs), Infinity)).toBeGreaterThanOrEqual(T + 460);
  });

  it('departs no sooner after another R comes than one step after what is past', async () => {
    const one = { P1: 0, P2: 0, P3: 1 };
    await lease(0, { demand: one });
    const due: number[] = [];
    let [held, grid]: [LeaseAnswer['slots'], number] = [[], 0];
    for (let ms = 200; ms < 1200; ms++) {
      const ratePerSecond = ms % 4 < 2 ? 200 : 199;
      const demand = ms % 2 === 0 ? one : { P1: 0, P2: 0, P3: 0 };
      const released = held.filter((s) => s.dueMs > T + ms).map((s) => s.slot);
      const a = await lease(ms, { demand, ratePerSecond, grid, released });
      held = [...a.slots];
      grid = a.grid;
      // only what departs before the pod gives it up again
      due.push(...a.slots.map((s) => s.dueMs).filter((at) => at < T + ms + 1));
    }
    expect(mostInASecond(due).units).toBeLessThanOrEqual(200);
  });

  it('grants what is withheld from one pod to no other, however small its part of the horizon is', async () => {
    const quarter = { P1: 0.25, P2: 0.25, P3: 0.25 };
    let units = 0;
    for (let ms = 0; ms <= 3000; ms += 50)
      for (const pod of ['pod-a', 'pod-b', 'pod-c']) {
        const a = await lease(ms, { pod, ratePerSecond: 60, demand: flood, ownership: quarter });
        units += a.slots.filter((s) => s.dueMs >= T + 1000 && s.dueMs < T + 3000).length;
      }
    expect(units).toBeLessThanOrEqual(2 * 0.75 * 60);
    expect(units).toBeGreaterThan(2 * 0.75 * 60 * 0.9);
  });

  it('grants only the part of R whose partitions it hears of', async () => {
    const half = { P1: 0.5, P2: 0.5, P3: 0.5 };
    let units = 0;
    for (let ms = 0; ms <= 3000; ms += 100) {
      const a = await lease(ms, { demand: flood, ownership: half });
      units += a.slots.filter((s) => s.dueMs >= T + 1000 && s.dueMs < T + 3000).length;
    }
    expect(units).toBeLessThanOrEqual(200);
    expect(units).toBeGreaterThan(170);
  });

  const p1Only = { P1: 1, P2: 0, P3: 0 };
  const rest = { P1: 0, P2: 1, P3: 1 };
  /** Units that fall due in the second before `ms` for a P3 flood, leased every 100 ms by a pod with `ownership`. */
  const floodOver = async (
    from: number,
    ms: number,
    ownership: LeaseRequest['ownership'],
  ): Promise<number> => {
    let units = 0;
    for (let at = from; at <= ms; at += 100) {
      const b = await lease(at, { pod: 'pod-b', demand: flood, ownership });
      units += b.slots.filter((s) => s.dueMs >= T + ms - 1000 && s.dueMs < T + ms).length;
    }
    return units;
  };

  it('keeps the share of a class from the others whose pods it hears no more, and gives it to them after a goodbye', async () => {
    await lease(0, { ownership: p1Only });
    const unheard = await floodOver(0, 3000, rest);
    expect(unheard).toBeGreaterThan(140);
    expect(unheard).toBeLessThanOrEqual(160);
    await lease(3050, { ownership: p1Only });
    await subject.coordinator.leave('sms-a', 'pod-a', 1000);
    expect(await floodOver(3100, 6000, rest)).toBeGreaterThan(190);
  });

  it('does not count a pod as heard that does not get its answers', async () => {
    const half = { P1: 0.5, P2: 0.5, P3: 0.5 };
    await lease(0, { ownership: half });
    let units = 0;
    for (let at = 0; at <= 3000; at += 100) {
      const deaf = await lease(at, { ownership: half, demand: flood, seenSequence: 0 });
      if (at > 500) expect(deaf.slots).toEqual([]);
      const b = await lease(at, { pod: 'pod-b', demand: flood, ownership: half });
      units += b.slots.filter((s) => s.dueMs >= T + 2000 && s.dueMs < T + 3000).length;
    }
    expect(units).toBeLessThanOrEqual(100);
    await lease(3100, { ownership: half, demand: flood });
    expect((await lease(3200, { ownership: half, demand: flood })).slots.length).toBeGreaterThan(0);
  });

  it('goes on within a horizon after its clock was set back, and no press of the time before counts', async () => {
    await lease(0, { demand: flood });
    await lease(300, { demand: flood });
    await lease(310, { pod: 'pod-b', pressing: ['P1'] });
    const back = await lease(-5000, { demand: flood });
    expect(Math.min(...back.slots.map((s) => s.dueMs), Infinity)).toBeGreaterThanOrEqual(T - 4850);
    expect(back.holds).toEqual([]);
    expect((await lease(-4850, { demand: flood })).slots.length).toBeGreaterThan(20);
  });
}
