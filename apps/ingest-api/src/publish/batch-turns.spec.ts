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

it('leaves the processor alone between turns while urgent messages come in', async () => {
  const turns = new BatchTurns({ urgent: () => true });
  let loops = 0;
  let running = true;
  const count = (): void => {
    loops += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  for (let i = 0; i < 5; i++) await turns.next();
  running = false;
  // turn after turn, the event loop went round on its own many times
  expect(loops).toBeGreaterThan(20);
});

it('pauses longer after a pause that ended late', async () => {
  jest.useFakeTimers();
  try {
    let nowMs = 0;
    let lateMs = 5;
    const turns = new BatchTurns({ urgent: () => true, monotonic: () => nowMs });
    const pausesMs: number[] = [];
    for (let i = 0; i < 3; i++) {
      const beganMs = Date.now();
      let took = false;
      const turn = turns.next().then(() => (took = true));
      while (!took) {
        nowMs += 1 + lateMs;
        lateMs = 0;
        await jest.advanceTimersByTimeAsync(1);
      }
      await turn;
      pausesMs.push(Date.now() - beganMs);
    }
    expect(pausesMs).toEqual([2, 20, 16]);
  } finally {
    jest.useRealTimers();
  }
});
