import { CallLog, type Call } from './call-log.js';

const call = (id: string, change: Partial<Call> = {}): Call => ({
  atEpochUs: 1_764_590_000_123_456,
  channel: 'sms',
  id,
  priority: 'P1',
  brand: 'alfa',
  pod: 'sms-0',
  account: 'sms-a',
  kind: 'message',
  units: 2,
  declared: 2,
  expiresAt: 1_764_590_180_000,
  outcome: 'accepted',
  lagMs: 0.4,
  ...change,
});
const read = (log: CallLog, since = 0, channel?: string) =>
  [...log.lines(since, channel)]
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the log of calls', () => {
  it('gives back every field of a call', () => {
    const log = new CallLog();
    log.append(call('a'));
    expect(read(log)).toEqual([{ seq: 1, ...call('a') }]);
  });

  it('leaves out a count that the caller did not give', () => {
    const log = new CallLog();
    log.append(call('a', { declared: Number.NaN }));
    expect(read(log)[0]).not.toHaveProperty('declared');
  });

  it('selects by channel and by number', () => {
    const log = new CallLog();
    for (let i = 1; i <= 20_000; i++) log.append(call(`m${i}`, { channel: i % 2 ? 'sms' : 'push' }));
    expect(read(log, 19_998).map((c) => c.seq)).toEqual([19_999, 20_000]);
    expect(read(log, 19_990, 'push').map((c) => c.seq)).toEqual([19_992, 19_994, 19_996, 19_998, 20_000]);
    expect(read(log).length).toBe(20_000);
  });

  it('forgets the oldest beyond its capacity and keeps the numbers', () => {
    const log = new CallLog(20_000);
    for (let i = 1; i <= 100_000; i++) log.append(call(`m${i}`));
    const kept = read(log);
    expect(kept.length).toBeGreaterThanOrEqual(20_000);
    expect(kept.length).toBeLessThan(40_000);
    expect(kept.at(-1)).toMatchObject({ seq: 100_000, id: 'm100000' });
  });

  it('goes on counting after it was cleared', () => {
    const log = new CallLog();
    log.append(call('a'));
    log.clear();
    log.append(call('b'));
    expect(read(log).map((c) => [c.seq, c.id])).toEqual([[2, 'b']]);
  });
});
