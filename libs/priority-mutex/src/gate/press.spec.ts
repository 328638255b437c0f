import { DEFAULT_TIMING } from '../timing.js';
import { presses, type PressInput } from './press.js';

const input = (over: Partial<PressInput> = {}): PressInput => ({
  mode: 'contention',
  priority: 'P1',
  nowMs: 1000,
  waiting: [{ units: 1, nextUnits: 1, oldestSince: 990 }],
  expectedUnits: 10,
  pods: 2,
  ratePerSecond: 200,
  accountUntilMs: -Infinity,
  lastStartMs: -Infinity,
  ...over,
});
const press = (over: Partial<PressInput> = {}) => presses(input(over), DEFAULT_TIMING);
const since = (oldestSince: number, nextUnits = 1) => [{ units: nextUnits, nextUnits, oldestSince }];

describe('presses', () => {
  it('when the oldest waited more than 25 ms', () => {
    expect([press({ waiting: since(975) }), press({ waiting: since(974) })]).toEqual([false, true]);
  });

  it('at small R only after two departures of its pod', () => {
    const slow = { ratePerSecond: 50 };
    expect([press({ ...slow, waiting: since(921) }), press({ ...slow, waiting: since(919) })]).toEqual([
      false,
      true,
    ]);
  });

  it('when more waits than falls due in 100 ms, once the coordinator knows of it', () => {
    const waiting = [{ units: 11, nextUnits: 1, oldestSince: 999 }];
    expect([press({ waiting }), press({ waiting, expectedUnits: undefined })]).toEqual([true, false]);
  });

  it('while the account throttles or fails, with nothing waiting', () => {
    expect(press({ waiting: [], accountUntilMs: 1001 })).toBe(true);
  });

  it('P2 is twice as patient', () => {
    expect(press({ priority: 'P2', waiting: since(960) })).toBe(false);
  });

  it('in mode strict whenever something waits, in mode noop never', () => {
    expect([
      press({ mode: 'strict', waiting: since(1000) }),
      press({ mode: 'noop', waiting: since(0) }),
    ]).toEqual([true, false]);
  });
});
