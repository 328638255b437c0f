import { PlatformClock } from './platform-clock.js';

/** A machine whose wall clock is `aheadMs` ahead of the platform's, whose time is `at`. */
function machine(aheadMs: number) {
  const time = { at: 1_000 };
  const clock = new PlatformClock({ now: () => 1e12 + time.at + aheadMs, monotonic: () => time.at });
  const sample = (tripMs: number, answeredAfterMs = tripMs / 2): void => {
    const sentAt = time.at;
    time.at += tripMs;
    clock.sample(1e12 + sentAt + answeredAfterMs, sentAt, time.at);
  };
  return { time, clock, sample };
}

describe('PlatformClock', () => {
  it('is the machine until it is told, then the platform, whatever the machine says', () => {
    const { time, clock, sample } = machine(5_000);
    expect(clock.now()).toBe(1e12 + time.at + 5_000);
    sample(2);
    expect(clock.now()).toBe(1e12 + time.at);
    expect(clock.aheadMs).toBe(5_000);
  });

  it('runs on by monotonic time without samples', () => {
    const { time, clock, sample } = machine(-5_000);
    sample(2);
    time.at += 3_600_000;
    expect(clock.now()).toBe(1e12 + time.at);
    expect(clock.aheadMs).toBe(-5_000);
  });

  it('is not moved by a slow call, and by the jitter of quick ones only a little', () => {
    const { time, clock, sample } = machine(0);
    sample(2);
    sample(90, 90);
    expect(clock.now()).toBe(1e12 + time.at);
    for (let i = 0; i < 50; i++) sample(4, i % 2 === 0 ? 0 : 4);
    expect(Math.abs(clock.now() - 1e12 - time.at)).toBeLessThan(0.5);
  });

  it('follows a step of the platform at once', () => {
    const { time, clock, sample } = machine(0);
    sample(2);
    sample(2, 1 + 700);
    expect(clock.now()).toBe(1e12 + time.at + 700);
  });
});
