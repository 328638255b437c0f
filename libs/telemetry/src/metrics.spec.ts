import { CHANNELS, PRIORITIES, unreachable, type SendResult, type Outcome } from '@commservice/contracts';
import { METRICS, noopMetrics, type Metrics, type MetricName } from './index.js';
import { createMetrics } from './metric-handles.js';
import type { MetricSpec } from './metric-kinds.js';
import { createNoopMeter, type Meter } from '@opentelemetry/api';

const catalogue = Object.entries(METRICS) as [MetricName, MetricSpec][];

/** The names design §4.7 fixes. */
const FIXED = [
  'commservice.batch.size',
  'commservice.queue.depth',
  'commservice.queue.oldest_age',
  'commservice.dlq.messages',
  'commservice.consumer.lag',
  'commservice.delivery.latency',
  'commservice.wait.duration',
  'commservice.gate.blocked',
  'commservice.tokens.granted',
  'commservice.tokens.borrowed',
  'commservice.provider.calls',
  'commservice.imbalance',
  'commservice.eventloop.delay',
];

describe('the metrics catalogue', () => {
  it('holds every metric the design fixes', () => {
    expect(catalogue.map(([, m]) => m.name)).toEqual(expect.arrayContaining(FIXED));
  });

  it('names each metric once, in our namespace, with a unit and a description', () => {
    const names = catalogue.map(([, m]) => m.name);
    expect(new Set(names).size).toBe(names.length);
    for (const [, m] of catalogue) {
      expect(m.name).toMatch(/^commservice(\.[a-z][a-z0-9_]*)+$/);
      expect(m.unit).toMatch(/^(s|By|1|\{[a-z]+\})$/);
      expect(m.description.length).toBeGreaterThan(10);
    }
  });

  it('has no attribute that could hold an address or an id', () => {
    const attributes = new Set(catalogue.flatMap(([, m]) => Object.keys(m.attributes)));
    for (const forbidden of ['id', 'message', 'to', 'phone', 'email', 'recipient', 'key', 'trace_id']) {
      expect(attributes).not.toContain(forbidden);
    }
  });

  it('gives the four signals by channel, brand and class', () => {
    for (const name of ['batchSize', 'queueDepth', 'queueOldestAge', 'dlqMessages', 'consumerLag'] as const) {
      expect(METRICS[name].attributes).toMatchObject({ brand: 'optional', priority: PRIORITIES });
      expect(Object.keys(METRICS[name].attributes)).toContain('channel');
    }
    expect(METRICS.queueDepth.attributes.channel).toEqual(CHANNELS);
  });

  it('has a call outcome for every result of a send, and one for every outcome of a record', () => {
    const ofSend = (r: SendResult['kind']): (typeof METRICS.providerCalls.attributes.outcome)[number] => r;
    const ofRecord = (o: Outcome['kind']): (typeof METRICS.outcomes.attributes.outcome)[number] => o;
    expect([ofSend('unknown'), ofRecord('dead-letter')]).toEqual(['unknown', 'dead-letter']);
  });
});

/** A meter that writes down what reaches OpenTelemetry. */
function spyMeter(): { meter: Meter; seen: unknown[]; scrape: () => void } {
  const seen: unknown[] = [];
  const callbacks = new Map<string, Set<(r: { observe: (v: number, a: object) => void }) => void>>();
  const write = (name: string) => (value: number, attributes: object) =>
    seen.push({ name, value, attributes });
  const meter = {
    ...createNoopMeter(),
    createCounter: (name: string) => ({ add: write(name) }),
    createHistogram: (name: string) => ({ record: write(name) }),
    createObservableGauge: (name: string) => {
      const set = new Set<(r: { observe: (v: number, a: object) => void }) => void>();
      callbacks.set(name, set);
      return { addCallback: (f: never) => set.add(f), removeCallback: (f: never) => set.delete(f) };
    },
  } as unknown as Meter;
  const scrape = (): void => {
    for (const [name, set] of callbacks) for (const f of set) f({ observe: write(name) });
  };
  return { meter, seen, scrape };
}

describe('createMetrics', () => {
  it('makes a handle of the right kind for every metric', () => {
    const metrics = noopMetrics();
    for (const [name, { kind }] of catalogue) {
      const handle = (metrics as unknown as Record<string, object>)[name];
      switch (kind) {
        case 'counter':
          expect(handle).toHaveProperty('add');
          break;
        case 'histogram':
          expect(handle).toHaveProperty('record');
          break;
        case 'gauge':
          expect(handle).toBeUndefined();
          break;
        default:
          unreachable(kind);
      }
    }
  });

  it('passes on the attributes the catalogue names and drops all others', () => {
    const { meter, seen } = spyMeter();
    const message = { channel: 'sms', brand: undefined, priority: 'P1', to: '+447700900123' } as const;
    createMetrics(meter).deliveryLatency.record(0.2, message);
    expect(seen).toEqual([
      { name: 'commservice.delivery.latency', value: 0.2, attributes: { channel: 'sms', priority: 'P1' } },
    ]);
  });

  it('reads every registered gauge at a scrape, until it is stopped', () => {
    const { meter, seen, scrape } = spyMeter();
    const metrics = createMetrics(meter);
    const attributes = { channel: 'push', brand: 'alfa', priority: 'P3' } as const;
    const stop = metrics.observe('queueDepth', () => [{ value: 7, attributes }]);
    metrics.observe('queueDepth', () => [{ value: 8, attributes: { ...attributes, brand: 'beta' } }]);
    scrape();
    expect(seen).toHaveLength(2);
    stop();
    scrape();
    expect(seen).toHaveLength(3);
  });

  it('refuses wrong attributes at compile time', () => {
    const wrong = (m: Metrics): void => {
      // @ts-expect-error a priority is missing
      m.deliveryLatency.record(1, { channel: 'sms' });
      // @ts-expect-error no such outcome
      m.outcomes.add(1, { channel: 'sms', priority: 'P1', outcome: 'lost' });
      // @ts-expect-error a counter is not a gauge
      m.observe('outcomes', () => []);
    };
    expect(wrong).toBeInstanceOf(Function);
  });
});
