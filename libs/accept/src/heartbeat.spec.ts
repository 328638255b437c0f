import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { laneTopic, MessageIds, type DataKey } from '@commservice/contracts';
import { readCatalogue } from './catalogue-source.js';
import { heartbeatLanes, heartbeatOf } from './heartbeat.js';

const read = readCatalogue(
  readFileSync(join(__dirname, '../../../tools/stack/catalogue.yaml'), 'utf8'),
  false,
);
if (read.kind === 'faulty') throw new Error('faulty');
const { catalogue } = read;
const dataKey: DataKey = { id: 'k1', brand: 'alfa', day: '2026-11-30', secret: Buffer.alloc(32, 1) };
const options = {
  clock: { now: () => 1_800_000_000_000, monotonic: () => 0 },
  ids: new MessageIds(Buffer.alloc(32, 2)),
  keyRing: { current: () => dataKey },
  hashKey: createSecretKey(Buffer.alloc(32, 3)),
};
const context = { trace: { traceparent: 'x' }, maxTtlMs: 60_000 };

it('makes a valid heartbeat for every channel, class, and brand where brands are apart', () => {
  const lanes = heartbeatLanes(catalogue);
  const beats = lanes.map((lane) => heartbeatOf(lane, catalogue, options, context));
  expect(beats.map((b) => b?.record.topic)).toEqual(lanes.map(laneTopic));
  expect(lanes).toHaveLength(3 * 3 + 2 * 3);
  for (const beat of beats) expect(beat?.message).toMatchObject({ kind: 'heartbeat', team: 'heartbeat' });
});

it('makes heartbeats that expire before many can pile up', () => {
  for (const lane of heartbeatLanes(catalogue)) {
    const beat = heartbeatOf(lane, catalogue, options, context);
    expect(beat && beat.message.expiresAt - beat.message.acceptedAt).toBe(60_000);
  }
});

it('makes none while the data key is missing', () => {
  const keyless = { ...options, keyRing: { current: () => undefined } };
  expect(heartbeatOf({ channel: 'sms', priority: 'P1' }, catalogue, keyless, context)).toBeUndefined();
});
