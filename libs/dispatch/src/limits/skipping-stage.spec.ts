import type { Account, Priority } from '@commservice/contracts';
import fc from 'fast-check';
import type { LaneItem } from '../lane-item.js';
import { AccountLimits } from './account-limits.js';
import { SkippingStage } from './skipping-stage.js';

type Rules = Pick<Account, 'brandLimits' | 'recipientLimit'>;
let now = 0;
const clock = { now: () => now, monotonic: () => now };
beforeEach(() => (now = 0));

function item(n: number, brand: string, recipient: string, priority: Priority = 'P3', units = 1): LaneItem {
  return {
    message: { id: `${n}`, brand, priority, units, kind: 'message', expiresAt: 1e12 },
    record: { key: Buffer.from(recipient), bytes: 1_000 },
    ...{ order: 0, narrow: undefined },
  } as unknown as LaneItem;
}

function limitsOf(rules: Rules, part = 1): AccountLimits {
  const limits = new AccountLimits(clock);
  limits.follow(rules);
  for (const priority of ['P2', 'P3'] as const) limits.addLane({ priority, ownership: () => part });
  return limits;
}
const stageOf = (rules: Rules): SkippingStage => new SkippingStage({ limits: limitsOf(rules), clock });
const idsOf = (items: readonly LaneItem[]): string[] => items.map((i) => i.message.id);

/** What a lane does with what is let on: it starts at once. */
function start(items: readonly LaneItem[]): string[] {
  for (const i of items) {
    i.narrow?.started();
    i.narrow?.end();
  }
  return idsOf(items);
}
const offerAll = (stage: SkippingStage, items: readonly LaneItem[]): string[] =>
  items.flatMap((i) => (stage.offer(i) ? start([i]) : []));

describe('SkippingStage', () => {
  it('keeps nothing and asks nothing where there are no limits', () => {
    const stage = stageOf({});
    const one = item(1, 'alfa', 'a');
    expect(stage.offer(one)).toBe(true);
    expect([one.narrow, one.order, stage.view()]).toEqual([undefined, 0, undefined]);
  });

  it('skips over a brand at its limit: others go at once, it comes back when its limit opens, before newer ones', () => {
    const stage = stageOf({ brandLimits: { alfa: { ratePerSecond: 2 } } });
    const items = Array.from({ length: 8 }, (_, n) => item(n, n < 4 ? 'alfa' : 'beta', `${n}`));
    expect(offerAll(stage, items)).toEqual(['0', '1', '4', '5', '6', '7']);
    expect(stage.view()).toEqual({
      waiting: 2,
      nextInMs: 1_000,
      says: 'messages wait: 2 for the limit of brand alfa; others go past them',
    });
    now = 999;
    expect(stage.due(10, now)).toEqual([]);
    now = 1_000;
    expect(stage.offer(item(9, 'alfa', 'x'))).toBe(false);
    expect(start(stage.due(1, now))).toEqual(['2']);
    expect(start(stage.due(10, now))).toEqual(['3']);
    now = 2_000;
    expect(start(stage.due(10, now))).toEqual(['9']);
    expect(stage.waiting).toBe(0);
  });

  it('holds a recipient to its messages a minute, in order, and P1 only where the catalogue says so', () => {
    const limits = limitsOf({ recipientLimit: { perMinute: 2, priorities: ['P2', 'P3'] } });
    const [stage, codes] = [new SkippingStage({ limits, clock }), new SkippingStage({ limits, clock })];
    const items = ['a', 'a', 'a', 'b', 'a'].map((r, n) => item(n, 'alfa', r));
    expect(offerAll(stage, items)).toEqual(['0', '1', '3']);
    expect(stage.view()?.says).toContain('2 for the limit of 1 recipient');
    expect(codes.offer(item(5, 'alfa', 'a', 'P1'))).toBe(true);
    now = 60_000;
    expect(start(stage.due(10, now))).toEqual(['2', '4']);
    const codesOnly = limitsOf({ recipientLimit: { perMinute: 1, priorities: ['P1'] } });
    const strict = new SkippingStage({ limits: codesOnly, clock });
    expect(offerAll(strict, [item(1, 'alfa', 'a', 'P1'), item(2, 'alfa', 'a', 'P1')])).toEqual(['1']);
    expect(new SkippingStage({ limits: codesOnly, clock }).offer(item(3, 'alfa', 'a'))).toBe(true);
  });

  it('never holds P1 to the limit of its brand, and counts it', () => {
    const stage = stageOf({ brandLimits: { alfa: { ratePerSecond: 2 } } });
    const codes = [1, 2, 3].map((n) => item(n, 'alfa', `${n}`, 'P1'));
    expect(offerAll(stage, codes)).toEqual(['1', '2', '3']);
    expect(stage.offer(item(4, 'alfa', 'a', 'P2'))).toBe(false);
  });

  it('puts an item that a more urgent class has overtaken back in its old place', () => {
    const limits = limitsOf({ brandLimits: { alfa: { ratePerSecond: 1 } } });
    const [low, high] = [new SkippingStage({ limits, clock }), new SkippingStage({ limits, clock })];
    const [first, second] = [item(1, 'alfa', 'a'), item(2, 'alfa', 'b')];
    expect([low.offer(first), low.offer(second)]).toEqual([true, false]);
    expect(offerAll(high, [item(3, 'alfa', 'c', 'P2')])).toEqual(['3']);
    expect([low.skips(first), low.waiting]).toEqual([true, 2]);
    now = 1_000;
    expect(start(low.due(10, now))).toEqual(['1']);
  });

  it('counts nothing for what ended unsent, and forgets all at a new generation', () => {
    const stage = stageOf({ brandLimits: { alfa: { ratePerSecond: 1 } } });
    const [a, b] = [item(1, 'alfa', 'a'), item(2, 'alfa', 'b')];
    expect([stage.offer(a), stage.offer(b)]).toEqual([true, false]);
    a.narrow?.end(); // expired
    now = 100;
    expect(idsOf(stage.due(10, now))).toEqual(['2']);
    stage.clear();
    expect([stage.waiting, stage.offer(item(3, 'alfa', 'c'))]).toEqual([0, true]);
  });

  it('counts a call that is made again once, at its last start', () => {
    const stage = stageOf({ brandLimits: { alfa: { ratePerSecond: 1 } } });
    const a = item(1, 'alfa', 'a');
    stage.offer(a);
    a.narrow?.started();
    now = 700;
    a.narrow?.returned(); // throttled
    expect(stage.skips(a)).toBe(false);
    a.narrow?.started();
    expect(stage.offer(item(2, 'alfa', 'b'))).toBe(false);
    now = 1_699;
    expect(stage.due(1, now)).toEqual([]);
    now = 1_700;
    expect(idsOf(stage.due(1, now))).toEqual(['2']);
  });

  it('takes no more in than it has room for', () => {
    const stage = stageOf({ brandLimits: { alfa: { ratePerSecond: 1 } } });
    for (let n = 0; !stage.isFull && n < 5_000; n++) stage.offer(item(n, 'alfa', `${n}`));
    expect(stage.waiting).toBe(1_000);
    expect(stage.view()?.says).toContain('the lane waits for them');
  });

  it('spends its part of a brand limit, by what it owns of the P2 and P3 lanes', () => {
    const limits = limitsOf({ brandLimits: { alfa: { ratePerSecond: 8 } } }, 0.5);
    const stage = new SkippingStage({ limits, clock });
    expect(
      offerAll(
        stage,
        Array.from({ length: 9 }, (_, n) => item(n, 'alfa', `${n}`)),
      ),
    ).toHaveLength(4);
  });

  it('looks again at once when the catalogue changes a limit, or drops it', () => {
    const limits = limitsOf({ recipientLimit: { perMinute: 1, priorities: ['P3'] } });
    const stage = new SkippingStage({ limits, clock });
    const all = [1, 2, 3, 4].map((n) => item(n, 'alfa', 'a'));
    expect(offerAll(stage, all)).toEqual(['1']);
    limits.follow({ recipientLimit: { perMinute: 2, priorities: ['P3'] } });
    now = 10;
    expect(start(stage.due(10, now))).toEqual(['2']);
    limits.follow({});
    expect(start(stage.due(10, now))).toEqual(['3', '4']);
  });

  const step = fc.record({
    brand: fc.constantFrom('alfa', 'beta', 'free'),
    recipient: fc.constantFrom('a', 'b', 'c', 'd'),
    units: fc.constantFrom(1, 1, 3),
    afterMs: fc.constantFrom(0, 0, 5, 80, 900, 20_000),
    startsLaterBy: fc.constantFrom(0, 0, 0, 1, 4),
  });

  it('keeps every limit, the order of each brand and recipient, loses nothing and lets all go in the end', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 150 }), (steps) => {
        now = 0;
        const brandLimits = { alfa: { ratePerSecond: 2 }, beta: { ratePerSecond: 0.5 } };
        const stage = stageOf({ brandLimits, recipientLimit: { perMinute: 3, priorities: ['P3'] } });
        const starts: { n: number; atMs: number; item: LaneItem }[] = [];
        let window: { item: LaneItem; turns: number }[] = [];
        const letOn: LaneItem[] = [];
        const take = (next: LaneItem, turns: number): void => {
          window.push({ item: next, turns });
          if (!letOn.includes(next)) letOn.push(next);
        };
        const turn = (): void => {
          const later: typeof window = [];
          for (const w of window) {
            if (w.turns-- > 0) later.push(w);
            else if (!stage.skips(w.item)) {
              start([w.item]);
              starts.push({ n: Number(w.item.message.id), atMs: now, item: w.item });
            }
          }
          window = later;
        };
        for (const [n, s] of steps.entries()) {
          now += s.afterMs;
          for (const due of stage.due(5, now)) take(due, s.startsLaterBy);
          const next = item(n, s.brand, s.recipient, 'P3', s.units);
          if (stage.offer(next)) take(next, s.startsLaterBy);
          turn();
        }
        for (let rounds = 0; starts.length < steps.length && rounds < 10_000; rounds++) {
          now = Math.max(now + 1, stage.nextOpenAtMs ?? 0);
          for (const due of stage.due(50, now)) take(due, 0);
          turn();
        }
        expect(starts.map((s) => s.n).sort((a, b) => a - b)).toEqual(steps.map((_, n) => n));
        expect(overtaken(letOn)).toEqual([]);
        expect(overLimit(starts, 1_000, 'alfa', 3)).toBe(false); // a send of 3 units goes alone
        expect(overLimit(starts, 1_000, 'beta', 3)).toBe(false);
        for (const r of ['a', 'b', 'c', 'd']) expect(overRecipient(starts, r, 3)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});

type Start = { atMs: number; item: LaneItem };
const within = (starts: readonly Start[], from: number, ms: number): Start[] =>
  starts.filter((s) => s.atMs >= from && s.atMs < from + ms);

/** Items let on after a younger one of the same brand and recipient. */
function overtaken(letOn: readonly LaneItem[]): string[] {
  const key = ({ message, record }: LaneItem): string => `${message.brand} ${record.key?.toString()}`;
  const late = letOn.filter((a, i) => letOn.slice(0, i).some((b) => key(b) === key(a) && b.order > a.order));
  return idsOf(late);
}

function overLimit(starts: readonly Start[], ms: number, brand: string, most: number): boolean {
  const own = starts.filter((s) => s.item.message.brand === brand);
  return own.some((s) => within(own, s.atMs, ms).reduce((n, o) => n + o.item.message.units, 0) > most);
}

function overRecipient(starts: readonly Start[], recipient: string, most: number): boolean {
  const own = starts.filter((s) => s.item.record.key?.toString() === recipient);
  return own.some((s) => within(own, s.atMs, 60_000).length > most);
}
