import { Breaker } from './breaker.js';

describe('Breaker', () => {
  it('stays closed while fewer than half of the last calls fail', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 40; i++) breaker.note(i % 3 !== 0, i);
    expect(breaker.open).toBe(false);
  });

  it('opens when at least half of at least eight calls failed, and says how long to wait', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 7; i++) expect(breaker.note(false, 0)).toBe(false);
    expect(breaker.note(false, 0)).toBe(true);
    expect(breaker.waitMs(0)).toBe(500);
    expect(breaker.waitMs(500)).toBe(0);
  });

  it('lets one call through to try, and closes when it works', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 8; i++) breaker.note(false, 0);
    breaker.started();
    expect(breaker.waitMs(600)).toBeGreaterThan(0);
    breaker.note(true, 650);
    expect(breaker.open).toBe(false);
    expect(breaker.waitMs(650)).toBe(0);
  });

  it('waits twice as long after each try that failed, at most 30 s', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 8; i++) breaker.note(false, 0);
    const waits: number[] = [];
    for (let now = 500, i = 0; i < 8; i++) {
      breaker.started();
      breaker.note(false, now);
      const wait = breaker.waitMs(now);
      waits.push(wait);
      now += wait;
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  });

  it('lets the next call try when the one that tried ended without a word on the vendor', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 8; i++) breaker.note(false, 0);
    breaker.started();
    expect(breaker.waitMs(600)).toBeGreaterThan(0);
    breaker.released();
    expect([breaker.open, breaker.waitMs(600)]).toEqual([true, 0]);
  });

  it('learns nothing from calls that were in the air when it opened', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 30; i++) breaker.note(false, 0);
    expect(breaker.waitMs(0)).toBe(500);
  });

  it('lets a code try after a second, and never behind a probe that hangs', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 8; i++) breaker.note(false, 0);
    for (let now = 500, i = 0; i < 4; i++) {
      breaker.started();
      breaker.note(false, now);
      now += breaker.waitMs(now);
    }
    const failedAt = 500 + 1000 + 2000 + 4000;
    expect(breaker.waitMs(failedAt)).toBe(8_000);
    expect(breaker.waitMs(failedAt, true)).toBe(1_000);
    breaker.started(); // a call of another class, which hangs
    expect(breaker.waitMs(failedAt + 1_000, true)).toBe(0);
    expect(breaker.waitMs(failedAt + 8_000)).toBeGreaterThan(0);
  });

  it('is not opened by one record that fails again and again', () => {
    const b = new Breaker();
    for (let i = 0; i < 40; i++) {
      b.note(false, i, 'bad');
      b.note(true, i, `good-${i}`);
      b.note(false, i, 'bad');
    }
    expect(b.open).toBe(false);
    const lone = new Breaker();
    for (let i = 0; i < 40; i++) lone.note(false, i, 'bad');
    expect(lone.open).toBe(false);
    for (let i = 0; i < 8; i++) lone.note(false, 50, `other-${i}`);
    expect(lone.open).toBe(true);
  });
});
