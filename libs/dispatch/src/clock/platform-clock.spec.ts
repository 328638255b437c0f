import { PlatformClock } from './platform-clock.js';

/** A machine whose wall clock is `aheadMs` ahead of the platform's, whose time is `at`. */
function machine(aheadMs: number) {
  const time = { at: 1_000 };
  const wall = (): number => 1e12 + time.at + aheadMs;
  const clock = new PlatformClock({ now: wall, monotonic: () => time.at }, wall);
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

  it('doubts a platform that steps by minutes while the machine agrees with the time before, and follows it back', () => {
    const { time, clock, sample } = machine(0);
    sample(2);
    for (const stepMs of [240_000, -240_000]) {
      sample(2, 1 + stepMs);
      expect(clock.now()).toBe(1e12 + time.at);
      expect(clock.coordinatorAheadMs).toBe(stepMs);
    }
    sample(2);
    expect(clock.coordinatorAheadMs).toBe(0);
  });

  it('follows the platform where the machine itself is off', () => {
    const { time, clock, sample } = machine(5_000);
    sample(2);
    sample(2, 1 + 240_000);
    expect(clock.now()).toBe(1e12 + time.at + 240_000);
  });
});
