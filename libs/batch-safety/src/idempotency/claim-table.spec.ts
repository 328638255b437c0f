import fc from 'fast-check';
import type { ClaimAnswer } from './claim.js';
import { CLAIM_LIFETIMES } from './claim.js';
import { ClaimTable } from './claim-table.js';

const RESERVE_MS = 100;

/**
 * What promise 7 needs of claims, told as a history and not as states: who was granted the item, what was settled, and
 * what the answers may then be.
 */
class History {
  /** The grant not settled yet: its holder and when others may have it. */
  grant: { owner: string; deadline: number; generation: number; tainted: boolean } | undefined;
  delivered = false;
  /** Highest generation known to be dead, −1 for none. */
  dead = -1;

  expected(owner: string, generation: number, now: number): ClaimAnswer['kind'] {
    if (this.delivered || generation <= this.dead) return 'done';
    if (!this.grant) return 'new';
    const foreign = this.grant.owner !== owner;
    if (foreign && now < this.grant.deadline) return 'busy';
    return foreign || this.grant.tainted ? 'takeover' : 'new';
  }

  granted(owner: string, generation: number, now: number, tainted: boolean): void {
    const earlier = this.grant?.generation ?? generation;
    this.grant = { owner, deadline: now + RESERVE_MS, generation: Math.max(earlier, generation), tainted };
  }

  died(generation: number): void {
    if (this.delivered) return;
    this.dead = Math.max(this.dead, generation);
    if (this.grant && this.grant.generation <= this.dead) this.grant = undefined;
  }
}

type Step =
  | { do: 'claim'; owner: string; generation: number }
  | { do: 'done' | 'dead'; owner: string; generation: number }
  | { do: 'release'; owner: string; generation: number }
  | { do: 'wait'; ms: number };

const owner = fc.constantFrom('a', 'b');
const generation = fc.nat({ max: 3 });
// A crash is a claim that nothing settles; it needs no step of its own.
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), owner, generation }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('done' as const), owner, generation }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('dead' as const, 'release' as const), owner, generation }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 50, 100, 150) }),
    },
  ),
  { maxLength: 40 },
);

describe('ClaimTable', () => {
  it('agrees with the history of grants and settlements for two owners, crashes, deadlines and replays', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        let now = 1000;
        const table = new ClaimTable(CLAIM_LIFETIMES, () => now);
        const history = new History();
        for (const step of plan) {
          if (step.do === 'wait') now += step.ms;
          else if (step.do === 'claim') {
            const expected = history.expected(step.owner, step.generation, now);
            const [answer] = table.claim([{ id: 'x', generation: step.generation }], step.owner, RESERVE_MS);
            expect(answer?.kind).toBe(expected);
            if (expected === 'new' || expected === 'takeover')
              history.granted(step.owner, step.generation, now, expected === 'takeover');
          } else {
            table.settle({ id: 'x', op: step.do, owner: step.owner, generation: step.generation });
            if (step.do === 'done') history.delivered = true;
            else if (step.do === 'dead') history.died(step.generation);
            else if (history.grant?.owner === step.owner) history.grant = undefined;
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('never has two owners hold an item at once', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        let now = 1000;
        const table = new ClaimTable(CLAIM_LIFETIMES, () => now);
        const heldUntil = new Map<string, number>();
        for (const step of plan) {
          if (step.do === 'wait') now += step.ms;
          else if (step.do === 'claim') {
            const [answer] = table.claim([{ id: 'x', generation: step.generation }], step.owner, RESERVE_MS);
            if (answer?.kind !== 'new' && answer?.kind !== 'takeover') continue;
            for (const [other, until] of heldUntil)
              if (other !== step.owner) expect(until).toBeLessThanOrEqual(now);
            heldUntil.clear();
            heldUntil.set(step.owner, now + RESERVE_MS);
          } else {
            table.settle({ id: 'x', op: step.do, owner: step.owner, generation: step.generation });
            // A death ends every hold of its generation; a release only the releaser's own.
            if (step.do === 'dead') heldUntil.clear();
            else heldUntil.delete(step.owner);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
