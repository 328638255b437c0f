import { BatchTurns } from './batch-turns.js';

it('gives one waiter a turn of the event loop, first come first served', async () => {
  const turns = new BatchTurns();
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let i = 0; i < 2; i++) {
      await turns.next();
      log.push(name);
    }
  };
  let loops = 0;
  const count = (): void => {
    loops += 1;
    if (log.length < 4) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([work('a'), work('b')]);
  expect(log).toEqual(['a', 'b', 'a', 'b']);
  expect(loops).toBeGreaterThanOrEqual(3);
});
