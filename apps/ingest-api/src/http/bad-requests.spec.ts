import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { logSink } from '@commservice/testkit';
import { IngestHarness, sms } from '../../test/ingest-harness.js';

const log = logSink();
let api: IngestHarness;
let base: string;
beforeAll(async () => {
  api = await new IngestHarness({ logger: log.logger }).start();
  base = await api.listen();
});
afterEach(() => {
  expect(api.records).toEqual([]);
  expect(api.events.records).toEqual([]);
});
afterAll(() => api.stop());

const good = sms();
const BAD: [string, unknown, number, string | undefined][] = [
  ['malformed JSON', '{"channel":', 400, undefined],
  ['no body', '', 400, undefined],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, undefined],
  ['unknown field', { ...good, nope: 1 }, 422, '/nope'],
  ['no recipient', { ...good, to: {} }, 422, '/to/phone'],
  ['phone too short', { ...good, to: { phone: '+4477' } }, 422, '/to/phone'],
  ['phone in prose', { ...good, to: { phone: 'call +447700900123 now' } }, 422, '/to/phone'],
  ['unknown category', { ...good, category: 'vip' }, 422, '/category'],
  ['unknown brand', { ...good, brand: 'nobody' }, 422, '/brand'],
  ['unknown channel', { ...good, channel: 'pigeon' }, 422, '/channel'],
  ['priority in the body', { ...good, category: 'promo', priority: 'P1' }, 422, '/priority'],
  ['negative ttl', { ...good, ttl: '-PT1M' }, 422, '/ttl'],
  ['empty text', { ...good, content: { text: '' } }, 422, '/content/text'],
  ['missing content', { ...good, content: undefined }, 422, '/content'],
  ['an array', [good], 422, ''],
  ['a number', '1', 422, ''],
  ['__proto__', '{"__proto__":{"channel":"sms"}}', 422, '/__proto__'],
  ['body of 600 KiB', { ...good, content: { text: 'x'.repeat(600 << 10) } }, 413, undefined],
];

describe('a bad request', () => {
  it.each(BAD)(
    'gets its status and a problem that names the field: %s',
    async (_name, body, status, pointer) => {
      const reply = await api.call('POST', '/v1/messages', body);
      expect([reply.status, reply.type]).toEqual([status, 'application/problem+json; charset=utf-8']);
      expect(reply.json).toMatchObject({
        type: expect.stringMatching(/^\/problems\//),
        status,
        instance: '/v1/messages',
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      if (pointer !== undefined) expect(reply.json.errors.map((e) => e.pointer)).toContain(pointer);
    },
  );

  it.each([
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', 'x', { 'content-type': 'text/plain' }],
    ['gzip', gzipSync(JSON.stringify(good)), { 'content-encoding': 'gzip' }],
  ])('of the wrong kind gets 415: %s', async (_name, body, headers) => {
    const reply = await api.call('POST', '/v1/messages', body, headers);
    expect([reply.status, reply.type]).toEqual([415, 'application/problem+json; charset=utf-8']);
  });

  it.each(['Bearer live_wrong', 'Basic abc', ''])(
    'with the key %j gets 401 before its body is read',
    async (authorization) => {
      const reply = await api.call('POST', '/v1/messages', good, { authorization });
      expect([reply.status, reply.type, reply.headers['www-authenticate']]).toEqual([
        401,
        'application/problem+json; charset=utf-8',
        'Bearer',
      ]);
    },
  );

  it.each(['team', 'test', 'ops'])('with a %s key gets 403', async (kind) => {
    const reply = await api.call('POST', '/v1/messages', good, {
      authorization: `Bearer ${kind}_demo_key_for_development_only`,
    });
    expect([reply.status, reply.json.errors[0]?.code]).toEqual([403, 'forbidden_key']);
  });

  it.each([
    ['GET', '/v1/nothing'],
    ['GET', '/nothing'],
    ['GET', '/v1/messages/00000000-0000-7000-8000-000000000000'],
    ['GET', '/v1/messages/batch'],
    ['GET', `/v1/messages/${'x'.repeat(90)}`],
  ] as const)('for an unknown address gets 404: %s %s', async (method, url) => {
    const reply = await api.call(method, url);
    expect([reply.status, reply.type]).toEqual([404, 'application/problem+json; charset=utf-8']);
    expect(JSON.stringify(reply.json.detail)).not.toContain('nothing"');
  });

  it('over the network gets its 413 also when it declares no length', async () => {
    const chunks = async function* (): AsyncGenerator<Buffer> {
      for (let i = 0; i < 10; i++) yield await Promise.resolve(Buffer.alloc(64 << 10, 0x20));
    };
    const reply = await fetch(`${base}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer live_demo_key_for_development_only',
        'content-type': 'application/json',
      },
      body: ReadableStream.from(chunks()) as unknown as ReadableStream<Uint8Array>,
      duplex: 'half',
    });
    expect(reply.status).toBe(413);
  });

  it('that ends in the middle leaves nothing behind', async () => {
    const { hostname, port } = new URL(base);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          'POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer live_demo_key_for_development_only\r\n' +
            'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
          () => socket.destroy(),
        );
      }).on('close', () => resolve());
    });
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });

  it('leaves no address, text or key in any log line', async () => {
    api.lanes.P1.answer = () => {
      throw new Error('broken for +447700900123');
    };
    const reply = await api.call('POST', '/v1/messages', good);
    api.lanes.P1.answer = () => ({ kind: 'acked', partition: 0 });
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.json)).not.toContain('7700900123');
    expect(log.at('error')).toHaveLength(1);
    expect(log.text()).not.toMatch(/7700900123|481516|live_demo/);
  });
});
