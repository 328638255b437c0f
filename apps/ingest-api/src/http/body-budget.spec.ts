import { BodyBudget } from './body-budget.js';

/** Takes chunks of 1 000 bytes, 1 128 with what each costs, until there is no room. */
function fill(budget: BodyBudget, team: string): number {
  const hold = budget.hold(team);
  let chunks = 0;
  while (hold.take(1000)) chunks += 1;
  return chunks;
}

it('gives no team more than is left for the others, so that the next one always finds room', () => {
  const budget = new BodyBudget(100 * 1128);
  expect(['a', 'b', 'c'].map((team) => fill(budget, team))).toEqual([50, 25, 13]);
  expect([fill(budget, 'a'), fill(budget, 'd')]).toEqual([0, 6]);
});

it('charges nothing before bytes arrive, and gives everything back once', () => {
  const budget = new BodyBudget(10_000);
  const holds = Array.from({ length: 100 }, () => budget.hold('a'));
  expect([budget.heldBytes, budget.fits('b', 10_000)]).toEqual([0, true]);
  expect(holds[0]?.take(3000)).toBe(true);
  for (let i = 0; i < 2; i++) holds[0]?.release();
  expect([budget.heldBytes, holds[0]?.take(1)]).toEqual([0, false]);
});

it('charges tiny chunks with what they cost to keep', () => {
  const hold = new BodyBudget(2 * 129 * 10).hold('a');
  expect(Array.from({ length: 12 }, () => hold.take(1)).filter(Boolean)).toHaveLength(10);
});
