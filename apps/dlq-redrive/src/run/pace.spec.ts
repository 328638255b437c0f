import { Pace } from './pace.js';

describe('Pace', () => {
  const never = new AbortController().signal;

  it('gives no more turns in any second than the rate, also after the process was frozen', async () => {
    let now = 0;
    const pace = new Pace(100, { monotonic: () => now });
    const given: number[] = [];
    const waiting = Array.from({ length: 250 }, () => pace.turn(never).then(() => given.push(now)));
    let jumps = 0;
    // Time moves in steps, once by 2 s: turns that fell due meanwhile must not come all at once.
    const ticking = setInterval(() => (now += ++jumps === 20 ? 2_000 : 10), 1);
    await Promise.all(waiting);
    clearInterval(ticking);
    const most = Math.max(
      ...given.map((from) => given.filter((at) => at >= from && at < from + 1_000).length),
    );
    expect(most).toBeLessThanOrEqual(100);
  });

  it('gives turns in the order they were asked for', async () => {
    const pace = new Pace(1_000, { monotonic: () => performance.now() });
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((n) => pace.turn(never).then(() => order.push(n))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('lets everyone go without a turn when it is aborted', async () => {
    const stop = new AbortController();
    const pace = new Pace(1, { monotonic: () => 0 });
    const turns = [pace.turn(stop.signal), pace.turn(stop.signal), pace.turn(stop.signal)];
    expect(await turns[0]).toBe(true);
    stop.abort();
    expect(await Promise.all(turns)).toEqual([true, false, false]);
  });
});
