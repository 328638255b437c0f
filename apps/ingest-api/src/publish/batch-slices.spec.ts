import { BatchSlices } from './batch-slices.js';
import { BatchTurns } from './batch-turns.js';

it('waits for a turn at first and whenever the slice is over', async () => {
  let nowMs = 0;
  const turns = new BatchTurns();
  const next = jest.spyOn(turns, 'next');
  const slices = new BatchSlices(turns, () => nowMs);
  const counts: number[] = [];
  for (nowMs of [0, 1, 1.9, 2, 3, 4]) {
    await slices.pause();
    counts.push(next.mock.calls.length);
  }
  expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
});
