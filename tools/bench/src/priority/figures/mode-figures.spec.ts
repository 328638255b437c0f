import type { Sent } from '../workload/message-log.js';
import { modeFigures, type LoggedCall, type Observed } from './mode-figures.js';

const call = (id: string, atMs: number, outcome = 'accepted'): LoggedCall => ({
  id,
  priority: id.slice(0, 2) as LoggedCall['priority'],
  atMs,
  units: 1,
  account: 'sms-a',
  kind: 'message',
  outcome,
  lagMs: outcome === 'throttled' ? 7 : 1,
});
const sent = (id: string, phase: Sent['phase'], atMs: number): Sent => ({
  id,
  priority: id.slice(0, 2) as Sent['priority'],
  phase,
  atMs,
});
const observed = (messages: Sent[], calls: LoggedCall[]): Observed => ({
  sent: messages,
  calls,
  flood: { fromMs: 10_000, toMs: 12_000 },
  endMs: 15_000,
  counts: { cpuSeconds: 0.004, redisCommands: { evalsha: 2, zadd: 4 } },
});
const contract = { ratePerSecond: 2, pods: 1 };

describe('modeFigures', () => {
  const messages = [
    sent('P1-w', 'warm-up', 500),
    sent('P1-a', 'idle', 1_000),
    sent('P1-b', 'flood', 10_100),
    sent('P2-a', 'flood', 10_200),
    sent('P3-a', 'flood', 9_000),
  ];
  const calls = [
    call('P1-w', 900, 'throttled'),
    call('P1-a', 1_010),
    call('P3-a', 10_050),
    call('P1-b', 10_110, 'throttled'),
    call('P1-b', 10_140),
    call('P1-b', 10_150, 'duplicate'),
  ];
  const figures = modeFigures(observed(messages, calls), contract);

  it('ends a latency at the first call that was not refused', () => {
    expect(figures.p1.idle.p99).toBe(10);
    expect(figures.p1.flood.p99).toBe(40);
    expect(figures.p99Ratio).toBe(4);
  });

  it('counts what was refused, doubled and never called, without the warm-up', () => {
    expect([figures.throttled, figures.doubled, figures.neverCalled]).toEqual([1, 1, 1]);
    expect(figures.p2.flood).toMatchObject({ waiting: 1, p99: 4_800 });
  });

  it('takes the use of R from accepted units and the busiest second from all that arrived', () => {
    expect(figures.utilisation).toBe(0.5);
    expect(figures.busiest).toEqual({ ofR: 2, atS: 0.15, lagMs: 7 });
  });

  it('spreads processor and Redis over the messages of the flood', () => {
    expect(figures.cost.cpuMsPerMessage).toBe(2);
    expect(figures.cost.redis).toMatchObject({ scriptsPerMessage: 1, commandsPerMessage: 3 });
  });

  it("takes P3's share from what was accepted", () => {
    expect(figures.worstP3).toEqual({ windowMs: 2_000, share: 0.5 });
  });

  it('has a burst only where there was one, and counts it with the rest', () => {
    expect(figures.burst).toBeUndefined();
    const more = [...messages, sent('P1-c', 'burst', 13_000)];
    const { burst, neverCalled } = modeFigures(observed(more, calls), contract);
    expect(burst).toMatchObject({ lastCallMs: 2_000, latency: { n: 1, waiting: 1 } });
    expect(neverCalled).toBe(2);
  });
});
