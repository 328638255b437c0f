import { buildDeadLetter } from '@commservice/batch-safety';
import { DLQ_HEADER, HEADER } from '@commservice/contracts';
import type { FetchedRecord } from '@commservice/kafka';
import { indexEntry } from './index-entry.js';

const SOURCE = {
  ...{
    topic: 'commservice.push.messages.alfa.priority3',
    partition: 2,
    offset: 41,
    timestamp: 1_790_000_000_000,
  },
  key: Buffer.from('k'),
  value: Buffer.from('{"sealed":"planted"}'),
  headers: {
    [HEADER.id]: '019a0000-0000-7000-8000-000000000001',
    [HEADER.expiresAt]: '1790000060000',
    [HEADER.traceparent]: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    [HEADER.redrive]: '1:job',
  },
};
const dead = buildDeadLetter({
  record: SOURCE,
  lane: { channel: 'push', brand: 'alfa', priority: 'P3' },
  ...{
    group: 'g',
    attempts: 3,
    disposition: 'rejected',
    account: 'push-alfa',
    build: 'b1',
    nowEpochMs: 1_790_000_001_000,
  },
  failure: {
    stage: 'provider',
    class: 'rejected-recipient',
    code: 'unregistered',
    detail: 'The device is not registered',
  },
});
const fetched = (fields: Partial<FetchedRecord> = {}): FetchedRecord => ({
  ...{ topic: dead.topic, partition: 2, offset: 7, key: dead.key, value: dead.value, headers: dead.headers },
  ...{ timestamp: 1_790_000_002_000, bytes: 1, fresh: false },
  ...fields,
});

describe('indexEntry', () => {
  it('tells where a dead letter lies, what it was and why it died', () => {
    expect(indexEntry(fetched())).toEqual({
      id: dead.headers[DLQ_HEADER.id],
      ...{
        topic: 'dlq.commservice.push.messages.alfa.priority3',
        partition: 2,
        recordOffset: 7,
        state: 'dead',
      },
      ...{ laneTopic: SOURCE.topic, channel: 'push', brand: 'alfa', priority: 'P3' },
      ...{
        originalTopic: SOURCE.topic,
        originalPartition: 2,
        originalOffset: 41,
        originalGroup: 'g',
        deliveryCount: 3,
      },
      ...{
        messageId: '019a0000-0000-7000-8000-000000000001',
        traceId: 'a'.repeat(32),
        expiresAt: 1_790_000_060_000,
      },
      ...{
        generation: 1,
        stage: 'provider',
        class: 'rejected-recipient',
        code: 'unregistered',
        disposition: 'rejected',
      },
      ...{
        fingerprint: dead.headers[DLQ_HEADER.fingerprint],
        detail: 'The device is not registered',
        attempts: 3,
      },
      ...{
        account: 'push-alfa',
        build: 'b1',
        failedAt: 1_790_000_001_000,
        originalAt: 1_790_000_000_000,
        valueBytes: 20,
      },
    });
  });

  it('holds nothing of key and value', () => {
    expect(JSON.stringify(indexEntry(fetched()))).not.toContain('planted');
  });

  it('lists a record with malformed headers as unreadable, under an id of its place', () => {
    const entry = indexEntry(fetched({ headers: { [DLQ_HEADER.id]: 'x', [HEADER.expiresAt]: 'soon' } }));
    expect(entry).toMatchObject({
      state: 'unreadable',
      channel: 'push',
      failedAt: 1_790_000_002_000,
      generation: 0,
    });
    expect(entry.fault).toContain('missing or malformed');
    expect(entry.id).toMatch(/^[0-9a-f]{32}$/);
    expect(indexEntry(fetched({ headers: {}, offset: 8 })).id).not.toBe(entry.id);
  });

  it('keeps numbers within their columns', () => {
    const headers = {
      ...dead.headers,
      [DLQ_HEADER.attempts]: '999999999999999',
      [HEADER.expiresAt]: '999999999999999',
    };
    expect(indexEntry(fetched({ headers }))).toMatchObject({
      attempts: 2 ** 31 - 1,
      expiresAt: 253_402_300_799_999,
    });
  });

  it('marks what lies in a parked topic', () => {
    const topic = dead.topic.replace('dlq.', 'parked.');
    expect(indexEntry(fetched({ topic }))).toMatchObject({ state: 'parked', laneTopic: SOURCE.topic });
  });
});
