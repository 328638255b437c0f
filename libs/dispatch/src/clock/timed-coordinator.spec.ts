import type { LeaseRequest, LeaseResult } from '@commservice/priority-mutex';
import { PlatformClock } from './platform-clock.js';
import { timedCoordinator } from './timed-coordinator.js';

describe('timedCoordinator', () => {
  it('tells the clock the time of every answer, and nothing when there is none', async () => {
    let result: LeaseResult = { kind: 'no-answer', reason: 'timeout' };
    const clock = new PlatformClock({ now: () => 5_000, monotonic: () => 0 });
    const coordinator = timedCoordinator(
      {
        lease: () => Promise.resolve(result),
        leave: () => Promise.resolve(),
        onEdge: () => () => undefined,
      },
      clock,
    );
    await coordinator.lease({} as LeaseRequest, 50);
    expect(clock.now()).toBe(5_000);
    result = { kind: 'answer', answer: { nowMs: 9_000 } as never };
    expect(await coordinator.lease({} as LeaseRequest, 50)).toBe(result);
    expect(clock.now()).toBe(9_000);
  });
});
