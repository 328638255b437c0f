import type { Priority } from '@commservice/contracts';
import fc from 'fast-check';
import type { LaneItem } from '../lane-item.js';
import { AccountLimits } from './account-limits.js';
import { SkippingStage } from './skipping-stage.js';

const PER_SECOND = 2;
const PER_MINUTE = 2;
const RULES = {
  brandLimits: { alfa: { ratePerSecond: PER_SECOND } },
  recipientLimit: { perMinute: PER_MINUTE, priorities: ['P2', 'P3'] as Priority[] },
};
let now = 0;
const clock = { now: () => now, monotonic: () => now };

function item(n: number, recipient: string, priority: Priority, expiresAt = 1e12): LaneItem {
  return {
    message: { id: `${n}`, brand: 'alfa', priority, units: 1, kind: 'message', expiresAt },
    record: { key: Buffer.from(recipient), bytes: 1_000 },
    ...{ order: 0, narrow: undefined },
  } as unknown as LaneItem;
}

interface Start {
  readonly item: LaneItem;
  readonly atMs: number;
}

/** The P2 and the P3 lane of one account: each stage has its own aside, both count at the same limits. */
class TwoLanes {
  readonly starts: Start[] = [];
  private readonly limits = new AccountLimits(clock);
  private readonly window: Record<'P2' | 'P3', LaneItem[]> = { P2: [], P3: [] };
  private readonly stages: Record<'P2' | 'P3', SkippingStage>;

  constructor() {
    now = 0;
    this.limits.follow(RULES);
    for (const priority of ['P2', 'P3'] as const) this.limits.addLane({ priority, ownership: () => 1 });
    const stage = (): SkippingStage => new SkippingStage({ limits: this.limits, clock });
    this.stages = { P2: stage(), P3: stage() };
  }

  offer(next: LaneItem): void {
    const priority = next.message.priority as 'P2' | 'P3';
    if (this.stages[priority].offer(next)) this.window[priority].push(next);
  }

  /** What is due comes into the window; what is in it starts, unless `hold` says it has no token yet. */
  turn(room: number, hold: boolean): void {
    for (const priority of ['P2', 'P3'] as const) {
      const stage = this.stages[priority];
      this.window[priority].push(...stage.due(room, now));
      if (hold) continue;
      for (const one of this.window[priority].splice(0)) {
        if (stage.skips(one)) continue;
        one.narrow?.started();
        one.narrow?.end();
        this.starts.push({ item: one, atMs: now });
      }
    }
  }

  /** When the first aside opens; 1e9 = nothing is aside. */
  nextMs(): number {
    const { P2, P3 } = this.stages;
    return Math.min(...[P2.nextOpenAtMs, P3.nextOpenAtMs].filter((at) => at !== undefined), 1e9);
  }
}

/** Starts of one window at most, over all windows that begin with a start. */
function busiest(starts: readonly Start[], windowMs: number): number {
  const count = (from: number): number =>
    starts.filter((s) => s.atMs >= from && s.atMs < from + windowMs).length;
  return Math.max(0, ...starts.map((s) => count(s.atMs)));
}

/** Starts before which a younger one of the same class and recipient started. */
function overtaken(starts: readonly Start[]): Start[] {
  const key = ({ message, record }: LaneItem): string => `${message.priority} ${record.key?.toString()}`;
  return starts.filter((a, i) =>
    starts.slice(0, i).some((b) => key(b.item) === key(a.item) && b.item.order > a.item.order),
  );
}

describe('SkippingStage, an account with limits by brand and by recipient', () => {
  const step = fc.record({
    recipient: fc.constantFrom('a', 'b', 'c'),
    priority: fc.constantFrom<Priority>('P2', 'P3'),
    afterMs: fc.constantFrom(0, 0, 7, 130, 500, 1_000, 3_000),
    room: fc.constantFrom(1, 2, 50),
    hold: fc.constantFrom(false, false, false, true),
  });

  it('lets an item of an open recipient behind its brand wait there, and does not send it back', () => {
    const lanes = new TwoLanes();
    const offer = (n: number, recipient: string): void => {
      lanes.offer(item(n, recipient, 'P3'));
      lanes.turn(10, false);
    };
    for (const n of [0, 1, 2, 3]) offer(n, 'a');
    now = 59_900;
    for (const n of [4, 5, 6]) offer(n, 'b');
    offer(7, 'c');
    now = 61_000; // the recipient a and the brand have both opened
    lanes.turn(10, false);
    expect(lanes.starts.map((s) => s.item.message.id)).toEqual(['0', '1', '4', '5', '2', '3']);
    now = 62_000;
    lanes.turn(10, false);
    expect(lanes.starts.at(-1)?.item.message.id).toBe('7');
  });

  it('ends every look, keeps both limits and lets everything go in order, over two lanes and coarse time', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 10, maxLength: 80 }),
        fc.constantFrom(50, 700, 3_000),
        (steps, drainMs) => {
          const lanes = new TwoLanes();
          for (const [n, s] of steps.entries()) {
            now += s.afterMs;
            lanes.offer(item(n, s.recipient, s.priority));
            lanes.turn(s.room, s.hold);
          }
          for (let rounds = 0; lanes.starts.length < steps.length && rounds < 20_000; rounds++) {
            now = Math.max(now + drainMs, lanes.nextMs() % 1e9);
            lanes.turn(50, false);
          }
          const { starts } = lanes;
          expect(starts.map((s) => Number(s.item.message.id)).sort((a, b) => a - b)).toEqual([
            ...steps.keys(),
          ]);
          expect(busiest(starts, 1_000)).toBeLessThanOrEqual(PER_SECOND);
          for (const r of ['a', 'b', 'c']) {
            const own = starts.filter((s) => s.item.record.key?.toString() === r);
            expect(busiest(own, 60_000)).toBeLessThanOrEqual(PER_MINUTE);
          }
          expect(overtaken(starts)).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});
