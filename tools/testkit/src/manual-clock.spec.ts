import { manualClock } from './manual-clock.js';

describe('manualClock', () => {
  it('moves both clocks when time passes', () => {
    const clock = manualClock(1_000);
    clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1_250, 250]);
  });

  it('leaves the monotonic clock alone when the wall clock is set back', () => {
    const clock = manualClock(1_000);
    clock.jumpWall(-400);
    expect([clock.now(), clock.monotonic()]).toEqual([600, 0]);
  });

  it('refuses to go back in time', () => {
    expect(() => manualClock().advance(-1)).toThrow(RangeError);
  });
});
