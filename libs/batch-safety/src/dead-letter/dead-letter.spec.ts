import {
  DISPOSITIONS,
  DLQ_HEADER,
  FAILURE_CLASSES,
  FAILURE_STAGES,
  HEADER,
  KIP_1191,
  isDeadLetterHeader,
  laneTopic,
  lanesOf,
  retryTopic,
  RETRY_TIERS,
} from '@commservice/contracts';
import fc from 'fast-check';
import { MAX_DLQ_HEADER_BYTES, buildDeadLetter } from './build.js';
import type { DeadLetterInput } from './dead-letter.js';
import { readDeadLetter } from './read.js';
import { restoreOriginal } from './restore.js';

const LANES = lanesOf(['alfa', 'beta'], { push: ['P1', 'P2', 'P3'] });
const bytes = fc.uint8Array({ maxLength: 200 }).map((a) => Buffer.from(a));
const text = (max: number): fc.Arbitrary<string> => fc.string({ unit: 'grapheme', maxLength: max });
const headerName = fc.oneof(
  fc.constantFrom<string>(...Object.values(HEADER), ...Object.values(DLQ_HEADER), ...Object.values(KIP_1191)),
  fc.constantFrom('__dlq.errors.own', 'x-cs-dlq-', 'x-client'),
  fc.string({ minLength: 1, maxLength: 20 }).filter((n) => n !== '__proto__'),
);

const anyInput: fc.Arbitrary<DeadLetterInput> = fc
  .record({
    lane: fc.constantFrom(...LANES),
    tier: fc.option(fc.nat({ max: 1 })),
    partition: fc.nat({ max: 23 }),
    offset: fc.nat(),
    key: fc.option(bytes),
    value: fc.option(bytes),
    headers: fc.dictionary(headerName, text(60), { noNullPrototype: true }),
    failure: fc.record({
      stage: fc.constantFrom(...FAILURE_STAGES),
      class: fc.constantFrom(...FAILURE_CLASSES),
      code: text(2000),
      detail: text(5000),
    }),
    names: fc.record({
      group: text(200),
      build: text(4000),
      brand: fc.option(text(4000)),
      account: fc.option(text(4000)),
    }),
    attempts: fc.nat({ max: 9 }),
    disposition: fc.constantFrom(...DISPOSITIONS),
  })
  .map(({ lane, tier, partition, offset, key, value, headers, failure, names, attempts, disposition }) => {
    const tiers = RETRY_TIERS[lane.priority];
    const topic = tier === null ? laneTopic(lane) : retryTopic(lane, (tiers[tier] ?? tiers[0])!.name);
    return {
      record: { topic, partition, offset, key, value, headers, timestamp: 1_700_000_000_000 },
      lane,
      group: `g${names.group}`,
      failure,
      attempts,
      disposition,
      build: names.build,
      nowEpochMs: 1_700_000_001_000.5,
      ...(names.brand === null ? {} : { brand: names.brand }),
      ...(names.account === null ? {} : { account: names.account }),
    };
  });

const example = (over: Partial<DeadLetterInput> = {}): DeadLetterInput => ({
  record: {
    topic: 'commservice.sms.messages.priority2.retry.10s',
    partition: 2,
    offset: 41,
    key: Buffer.from('k'),
    value: Buffer.from('{}'),
    headers: { [HEADER.id]: 'm1', [HEADER.attempt]: '2', [HEADER.priority]: 'P2', traceparent: '00-t' },
    timestamp: 1_700_000_000_000,
  },
  lane: { channel: 'sms', priority: 'P2' },
  group: 'commservice.sms.p2.retry',
  failure: {
    stage: 'provider',
    class: 'rejected-recipient',
    code: 'invalid_number',
    detail: 'refused +447700900123',
  },
  attempts: 3,
  disposition: 'rejected',
  account: 'sms-a',
  brand: 'alfa',
  build: '1.4.0',
  nowEpochMs: 1_700_000_009_000,
  ...over,
});

describe('dead letters', () => {
  it('of a record met in a retry topic go to the lane topic’s dead letters and name where it lay', () => {
    const out = buildDeadLetter(example());
    expect(out.topic).toBe('dlq.commservice.sms.messages.priority2');
    expect(out.partition).toBeUndefined();
    expect(readDeadLetter(out)).toMatchObject({
      kind: 'dead-letter',
      deadLetter: {
        source: { topic: 'commservice.sms.messages.priority2.retry.10s', partition: 2, offset: 41 },
        lane: { channel: 'sms', priority: 'P2' },
        group: 'commservice.sms.p2.retry',
        message: 'refused [phone]',
        code: 'invalid_number',
        attempts: 3,
        account: 'sms-a',
        brand: 'alfa',
        failedAt: 1_700_000_009_000,
        originalTimestamp: 1_700_000_000_000,
      },
    });
  });

  it('of a record of the lane topic keep its partition', () => {
    const record = { ...example().record, topic: 'commservice.sms.messages.priority2' };
    expect(buildDeadLetter(example({ record })).partition).toBe(2);
  });

  it('carry the six KIP-1191 headers as text', () => {
    const { headers } = buildDeadLetter(example());
    for (const name of Object.values(KIP_1191)) expect(typeof headers[name]).toBe('string');
    expect(headers[KIP_1191.deliveryCount]).toBe('3');
  });

  it('have the same id for the same failure, and another for any other coordinate, group or stage', () => {
    const id = (i: DeadLetterInput): string => buildDeadLetter(i).headers[DLQ_HEADER.id] as string;
    const base = example();
    expect(id(example({ nowEpochMs: 1, build: 'x', attempts: 9 }))).toBe(id(base));
    const others = [
      example({ record: { ...base.record, offset: 42 } }),
      example({ record: { ...base.record, partition: 3 } }),
      example({ group: 'other' }),
      example({ failure: { ...base.failure, stage: 'unseal' } }),
    ];
    expect(new Set([base, ...others].map(id)).size).toBe(5);
  });

  it('share a fingerprint when class, code and stage are the same', () => {
    const print = (i: DeadLetterInput): string =>
      buildDeadLetter(i).headers[DLQ_HEADER.fingerprint] as string;
    const { failure, record } = example();
    expect(print(example({ record: { ...record, offset: 7 } }))).toBe(print(example()));
    expect(print(example({ failure: { ...failure, code: 'blocked' } }))).not.toBe(print(example()));
  });

  it('drop dead-letter headers a client forged', () => {
    const headers = { 'x-cs-dlq-own': 'x', '__dlq.errors.extra': 'y', [DLQ_HEADER.id]: 'forged', ok: '1' };
    const out = buildDeadLetter(example({ record: { ...example().record, headers } }));
    expect(out.headers).not.toHaveProperty('x-cs-dlq-own');
    expect(out.headers).not.toHaveProperty(['__dlq.errors.extra']);
    expect(out.headers[DLQ_HEADER.id]).toMatch(/^[0-9a-f]{32}$/);
    expect(out.headers['ok']).toBe('1');
  });

  it('give a record without a key one: its id, or their own', () => {
    const keyless = { ...example().record, key: null };
    expect(buildDeadLetter(example({ record: keyless })).key.toString()).toBe('m1');
    const bare = buildDeadLetter(example({ record: { ...keyless, headers: {} } }));
    expect(bare.key.toString()).toBe(bare.headers[DLQ_HEADER.id]);
  });

  it('never let a phone pass for a code', () => {
    const failure = { ...example().failure, code: '447700900123' };
    expect(JSON.stringify(buildDeadLetter(example({ failure })).headers)).not.toContain('447700900123');
  });

  it('are read back, whatever went in, within the header budget', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const out = buildDeadLetter(input);
        const size = Object.entries(out.headers)
          .filter(([name]) => isDeadLetterHeader(name))
          .reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
        expect(size).toBeLessThanOrEqual(MAX_DLQ_HEADER_BYTES);
        const read = readDeadLetter(out);
        expect(read).toMatchObject({
          kind: 'dead-letter',
          deadLetter: { lane: input.lane, group: input.group },
        });
      }),
      { numRuns: 300 },
    );
  });

  it('restore the record they were made of, byte for byte', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 9 }), (input, generation) => {
        const dead = buildDeadLetter(input);
        const restored = restoreOriginal(dead, { generation, jobId: 'job' });
        if (restored.kind !== 'restored') throw new Error(restored.fault);
        const { record } = restored;
        expect(record.topic).toBe(laneTopic(input.lane));
        expect(record.key.equals(input.record.key ?? dead.key)).toBe(true);
        expect(record.value === null ? null : [...record.value]).toEqual(
          input.record.value && [...input.record.value],
        );
        const own = Object.entries(input.record.headers).filter(
          ([n]) => !isDeadLetterHeader(n) && n !== HEADER.attempt && n !== HEADER.redrive,
        );
        expect(record.headers).toEqual({ ...Object.fromEntries(own), [HEADER.redrive]: `${generation}:job` });
      }),
      { numRuns: 300 },
    );
  });

  it('that are foreign or malformed are unreadable and crash nothing', () => {
    const good = buildDeadLetter(example());
    const mangled = fc.tuple(fc.constantFrom(...Object.keys(good.headers)), fc.option(text(20)));
    fc.assert(
      fc.property(fc.array(mangled), (changes) => {
        const headers: Record<string, string> = { ...good.headers };
        for (const [name, value] of changes) {
          if (value === null) delete headers[name];
          else headers[name] = value;
        }
        expect(['dead-letter', 'unreadable']).toContain(readDeadLetter({ topic: good.topic, headers }).kind);
      }),
    );
    const headers = { ...good.headers, [KIP_1191.offset]: 'secret-value' };
    const read = readDeadLetter({ topic: good.topic, headers });
    expect(read).toEqual({ kind: 'unreadable', fault: `missing or malformed: ${KIP_1191.offset}` });
    expect(readDeadLetter({ topic: 'other', headers: good.headers }).kind).toBe('unreadable');
    expect(restoreOriginal({ ...good, topic: 'dlq.other' }, { generation: 1, jobId: 'j' }).kind).toBe(
      'unreadable',
    );
  });
});
