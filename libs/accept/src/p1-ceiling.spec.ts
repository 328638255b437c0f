import fc from 'fast-check';
import type { Catalogue } from '@commservice/contracts';
import { P1Ceiling } from './p1-ceiling.js';
import { TokenBucket } from './token-bucket.js';

const catalogueOf = (perSecond: number, burst: number, ratePerSecond: number): Catalogue =>
  ({
    teams: { demo: { brands: [], p1: { perSecond, burst } } },
    accounts: { a: { ratePerSecond } },
  }) as unknown as Catalogue;
const charge = { team: 'demo', account: 'a', units: 1 };

function ceilingAt(clock: { now: number }, share?: number): P1Ceiling {
  return new P1Ceiling({ clock: { monotonic: () => clock.now }, share });
}
const grants = (ceiling: P1Ceiling, catalogue: Catalogue, tries: number): number =>
  Array.from({ length: tries }, () => ceiling.charge(catalogue, charge)).filter((r) => r.kind === 'granted')
    .length;

describe('the P1 ceiling', () => {
  it('grants a whole burst, then says which limit is met and when to come back', () => {
    const ceiling = ceilingAt({ now: 0 });
    const catalogue = catalogueOf(10, 5, 1000);
    expect(grants(ceiling, catalogue, 5)).toBe(5);
    expect(ceiling.charge(catalogue, charge)).toMatchObject({
      kind: 'limited',
      view: { name: 'p1-per-team', remaining: 0 },
      retryAfterMs: 100,
    });
  });

  it('grants again at the sustained rate', () => {
    const clock = { now: 0 };
    const ceiling = ceilingAt(clock);
    const catalogue = catalogueOf(10, 5, 1000);
    grants(ceiling, catalogue, 5);
    clock.now = 1000;
    expect(grants(ceiling, catalogue, 20)).toBe(5);
    clock.now = 1300;
    expect(grants(ceiling, catalogue, 20)).toBe(3);
  });

  it('holds an account to 80 % of its rate, counted in units', () => {
    const clock = { now: 0 };
    const ceiling = ceilingAt(clock);
    const catalogue = catalogueOf(1000, 60, 100);
    const six = { ...charge, units: 6 };
    const burst = Array.from({ length: 11 }, () => ceiling.charge(catalogue, six).kind);
    expect(burst.filter((k) => k === 'granted')).toHaveLength(10);
    clock.now = 1000;
    const next = Array.from({ length: 20 }, () => ceiling.charge(catalogue, six));
    expect(next.filter((r) => r.kind === 'granted')).toHaveLength(10);
    expect(next.at(-1)).toMatchObject({ kind: 'limited', view: { name: 'p1-per-account' } });
  });

  it('costs nothing when it refuses', () => {
    const clock = { now: 0 };
    const ceiling = ceilingAt(clock);
    const catalogue = catalogueOf(10, 5, 1000);
    grants(ceiling, catalogue, 500);
    clock.now = 100;
    expect(grants(ceiling, catalogue, 2)).toBe(1);
  });

  it('gives each of several processes its share', () => {
    expect(grants(ceilingAt({ now: 0 }, 0.25), catalogueOf(100, 100, 10_000), 100)).toBe(25);
  });

  it('follows a changed catalogue', () => {
    const clock = { now: 0 };
    const ceiling = ceilingAt(clock);
    grants(ceiling, catalogueOf(10, 5, 1000), 5);
    clock.now = 100;
    expect(grants(ceiling, catalogueOf(100, 50, 1000), 100)).toBe(1);
    clock.now = 200;
    expect(grants(ceiling, catalogueOf(100, 50, 1000), 100)).toBe(10);
  });
});

it('a bucket never grants more than its burst plus its rate over any stretch of time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 6 })), { maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 6, max: 60 }),
      (steps, perSecond, burst) => {
        const bucket = new TokenBucket(perSecond, burst, 0);
        let nowMs = 0;
        let granted = 0;
        for (const [pauseMs, count] of steps) {
          nowMs += pauseMs;
          if (bucket.waitMs(count, nowMs) > 0) continue;
          bucket.take(count);
          granted += count;
        }
        expect(granted).toBeLessThanOrEqual(burst + (perSecond * nowMs) / 1000 + 1e-6);
      },
    ),
  );
});
