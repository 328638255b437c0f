import { buildDeadLetter } from '@commservice/batch-safety';
import { messageHeaders, type Clock, type Message } from '@commservice/contracts';
import type { FetchedRecord, OutgoingRecord, ProduceResult, ReadResult } from '@commservice/kafka';
import type { RedriveItem } from '@commservice/postgres';
import { silentLogger } from '@commservice/telemetry';
import { indexEntry } from '../index/index-entry.js';
import { Pace } from './pace.js';
import { Replay } from './replay.js';

const NOW = 1_790_000_000_000;
const JOB = '0b9f8a52-3e7c-4a57-9a34-0f8f6a1f0001';
const message: Message = {
  ...{
    id: '019a0000-0000-7000-8000-000000000001',
    team: 'demo',
    channel: 'sms',
    brand: 'alfa',
    category: 'order',
  },
  ...{
    priority: 'P2',
    sealed: 'sealed.v1.k.x',
    units: 1,
    acceptedAt: NOW - 1_000,
    expiresAt: NOW + 60_000,
    kind: 'message',
  },
};
const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

function deadLetter(value: Buffer = Buffer.from(JSON.stringify(message))): FetchedRecord {
  const dead = buildDeadLetter({
    record: {
      ...{
        topic: 'commservice.sms.messages.priority2',
        partition: 1,
        offset: 5,
        timestamp: NOW - 900,
        value,
      },
      key: Buffer.from('recipient'),
      headers: { ...messageHeaders(message, { traceparent }), 'x-cs-attempt': '3' },
    },
    lane: { channel: 'sms', priority: 'P2' },
    ...{ group: 'g', attempts: 1, disposition: 'rejected', brand: 'alfa', build: 'b', nowEpochMs: NOW - 500 },
    failure: { stage: 'provider', class: 'rejected-message', code: 'refused', detail: 'no' },
  });
  return { ...dead, partition: 1, offset: 9, timestamp: NOW - 500, bytes: 1, fresh: false };
}

function setUp(read: ReadResult, produced: ProduceResult = { kind: 'acked', partition: 0 }) {
  const sent: OutgoingRecord[] = [];
  let now = NOW;
  const clock: Clock = { now: () => now, monotonic: () => performance.now() };
  const replay = new Replay({
    reader: { read: () => Promise.resolve(read) },
    producer: {
      produce: (record) => {
        sent.push(record);
        return Promise.resolve(produced);
      },
    },
    ...{ readDeadlineMs: 1, produceDeadlineMs: 1, clock, logger: silentLogger },
  });
  const run = (item: RedriveItem, signal = new AbortController().signal) =>
    replay.item(JOB, item, new Pace(1_000, clock), signal);
  return { sent, run, setNow: (ms: number) => (now = ms) };
}
const itemOf = (record: FetchedRecord, fields: object = {}): RedriveItem => ({
  ...{ position: 1, claimed: true, deadLetter: { ...indexEntry(record), ...fields } },
});

describe('the replay of a dead letter', () => {
  it('puts the original record back on its lane, unchanged but for the mark of the replay', async () => {
    const record = deadLetter();
    const { sent, run } = setUp({ kind: 'record', record });
    expect(await run(itemOf(record))).toEqual({
      kind: 'produced',
      position: 1,
      deadLetterId: itemOf(record).deadLetter.id,
    });
    expect(sent[0]).toEqual({
      ...{ topic: 'commservice.sms.messages.priority2', key: record.key, value: record.value },
      headers: { ...messageHeaders(message, { traceparent }), 'x-cs-redrive': `1:${JOB}` },
    });
  });

  it('says in an event of the next generation that the message is queued again', async () => {
    const record = deadLetter();
    const { sent, run } = setUp({ kind: 'record', record });
    await run(itemOf(record));
    expect(sent[1]).toMatchObject({ topic: 'commservice.events.priority2', key: message.id });
    expect(JSON.parse(String(sent[1]?.value))).toMatchObject({
      ...{
        id: message.id,
        status: 'queued',
        generation: 1,
        team: 'demo',
        brand: 'alfa',
        traceId: 'a'.repeat(32),
        at: NOW,
      },
    });
  });

  it('replays a record that cannot be decoded as it is, without an event', async () => {
    const record = deadLetter(Buffer.from('poison'));
    const { sent, run } = setUp({ kind: 'record', record });
    expect(await run(itemOf(record))).toMatchObject({ kind: 'produced' });
    expect(sent.map((r) => String(r.value))).toEqual(['poison']);
  });

  it.each([['expired', 'its time is over', { expiresAt: NOW }]])(
    'skips it as %s when %s',
    async (reason, _why, fields) => {
      const record = deadLetter();
      const { sent, run } = setUp({ kind: 'record', record });
      expect(await run(itemOf(record, fields))).toMatchObject({ kind: 'skipped', reason });
      expect(sent).toEqual([]);
    },
  );

  it('skips it when its time runs out while it waits for its turn', async () => {
    const record = deadLetter();
    const { sent, run, setNow } = setUp({ kind: 'record', record });
    const running = run(itemOf(record));
    setNow(message.expiresAt);
    expect(await running).toMatchObject({ kind: 'skipped', reason: 'expired' });
    expect(sent).toEqual([]);
  });

  it('skips it when the record is gone, or another one lies in its place', async () => {
    const record = deadLetter();
    expect(await setUp({ kind: 'gone' }).run(itemOf(record))).toMatchObject({ reason: 'gone' });
    const other = setUp({ kind: 'record', record });
    expect(await other.run(itemOf(record, { id: 'f'.repeat(32) }))).toMatchObject({ reason: 'gone' });
    expect(other.sent).toEqual([]);
  });

  it('skips what another job replays or has replayed', async () => {
    const record = deadLetter();
    const { sent, run } = setUp({ kind: 'record', record });
    for (const state of ['redriving', 'redriven'] as const) {
      const item = { ...itemOf(record, { state }), claimed: false };
      expect(await run(item)).toMatchObject({ kind: 'skipped', reason: 'already_redriven' });
    }
    expect(sent).toEqual([]);
  });

  it.each<ProduceResult>([
    { kind: 'not-stored', reason: 'full' },
    { kind: 'unknown', reason: 'the acknowledgement was lost' },
  ])('leaves it for later when the broker answers $kind', async (result) => {
    const record = deadLetter();
    expect(await setUp({ kind: 'record', record }, result).run(itemOf(record))).toEqual({ kind: 'later' });
  });

  it('leaves it for later when it cannot be read in time, and produces nothing once it is stopped', async () => {
    const record = deadLetter();
    expect(await setUp({ kind: 'timeout' }).run(itemOf(record))).toEqual({ kind: 'later' });
    const { sent, run } = setUp({ kind: 'record', record });
    expect(await run(itemOf(record), AbortSignal.abort())).toEqual({ kind: 'later' });
    expect(sent).toEqual([]);
  });
});
