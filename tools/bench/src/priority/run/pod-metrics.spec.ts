import { parsePodMetrics } from './pod-metrics.js';

const TEXT = [
  '# TYPE commservice_lease_calls_total counter',
  'commservice_lease_calls_total{scope="sms-a",result="granted"} 12',
  'commservice_lease_calls_total{scope="sms-a",result="no-answer"} 1',
  'commservice_eventloop_delay{quantile="p50"} 0.0001',
  'commservice_eventloop_delay{quantile="p99"} 0.003',
  'commservice_eventloop_delay{quantile="max"} 0.02',
].join('\n');

describe('parsePodMetrics', () => {
  it('adds the calls of all scopes and results, and takes the delays as ms', () => {
    expect(parsePodMetrics(TEXT)).toEqual({ leaseCalls: 13, loopP99Ms: 3, loopMaxMs: 20 });
  });

  it('is 0 where nothing is said', () => {
    expect(parsePodMetrics('')).toEqual({ leaseCalls: 0, loopP99Ms: 0, loopMaxMs: 0 });
  });
});
