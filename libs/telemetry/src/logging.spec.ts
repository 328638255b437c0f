import fc from 'fast-check';
import { createLogger, maskAddresses, serializeError, type Logger, type LogLevel } from './index.js';
import { redact } from './redact.js';

function capture(level: LogLevel = 'debug'): {
  logger: Logger;
  lines: () => Record<string, unknown>[];
  text: () => string;
} {
  const written: string[] = [];
  const destination = { write: (line: string): void => void written.push(line) };
  return {
    logger: createLogger({ service: 'ingest-api', pod: 'ingest-0', level, destination }),
    lines: () => written.map((l) => JSON.parse(l) as Record<string, unknown>),
    text: () => written.join(''),
  };
}

describe('the logger', () => {
  it('writes one JSON line with time, level, service, pod, fields and message', () => {
    const { logger, lines } = capture();
    logger.child({ lane: 'sms:P1' }).info({ id: 'a1', waitMs: 5 }, 'sent');
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'info',
        service: 'ingest-api',
        pod: 'ingest-0',
        lane: 'sms:P1',
        id: 'a1',
        waitMs: 5,
        msg: 'sent',
      }),
    ]);
    expect(lines()[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('writes nothing below its level', () => {
    const { logger, text } = capture('warn');
    logger.debug({}, 'a');
    logger.info({}, 'b');
    logger.child({ x: 1 }).info({}, 'c');
    expect(text()).toBe('');
  });

  it('hides message content and credentials at any depth and in a child', () => {
    const { logger, text } = capture();
    const message = { to: { phone: '+447700900123' }, content: { text: 'Code 481516' } };
    logger.child({ Authorization: 'Bearer live_demo' }).error({ message, items: [message] }, 'refused');
    for (const secret of ['447700900123', '481516', 'live_demo']) expect(text()).not.toContain(secret);
  });

  it('reduces an error to name, code, masked message and cause', () => {
    const { logger, lines, text } = capture();
    const cause = new Error('no route to ann@example.org');
    const err = Object.assign(new TypeError('bad +44 7700 900123', { cause }), {
      code: 'E1',
      request: { body: 'Code 481516' },
    });
    logger.error({ err }, 'failed');
    expect(lines()[0]?.['err']).toMatchObject({
      name: 'TypeError',
      code: 'E1',
      message: 'bad [number]',
      cause: { message: 'no route to [email]' },
    });
    expect(text()).not.toMatch(/481516|7700|example/);
  });
});

describe('redact', () => {
  it('never lets a value under a listed key through, wherever it stands', () => {
    const marker = 'm4rker';
    const key = fc.constantFrom(
      'to',
      'TEXT',
      'Phone',
      'email',
      'token',
      'html',
      'body',
      'subject',
      'content',
    );
    const leaf = fc.oneof(
      key.map((k) => ({ [k]: marker })),
      fc.constant({ id: 'x' }),
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.record({ a: tie('node') }),
      ),
    })).node;
    fc.assert(fc.property(tree, (t) => !JSON.stringify(redact({ t })).includes(marker)));
  });

  it('bounds depth, so that a cycle ends', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(JSON.stringify(redact(loop))).toContain('[deep]');
  });

  it('shows the size of bytes, not the bytes', () => {
    expect(redact({ key: Buffer.alloc(32, 65) })).toEqual({ key: '[32 bytes]' });
  });
});

describe('maskAddresses', () => {
  it.each([
    'to +447700900123',
    'to 447700900123.',
    'to 8 (921) 123-45-67',
    'to (0)7700 900 123',
    'user=ann.lee+x@mail.example.co.uk;',
    '"a@b.io"',
  ])('masks %s', (text) => {
    expect(maskAddresses(text)).toMatch(/\[(number|email)\]/);
    expect(maskAddresses(text)).not.toMatch(/\d{3}|@/);
  });

  it.each([
    'connect ECONNREFUSED 192.168.10.15:19092',
    'message 0197f3a2-5b1c-7def-8abc-0123456789ab is unknown',
    'took 1234 ms of 20000',
    'syntax error at or near "selec"',
  ])('keeps %s', (text) => {
    expect(maskAddresses(text)).toBe(text);
  });

  it('masks every international number', () => {
    const number = fc.tuple(
      fc.integer({ min: 1, max: 999 }),
      fc.integer({ min: 1_000_000, max: 999_999_999 }),
    );
    fc.assert(
      fc.property(
        number,
        ([cc, n]) => maskAddresses(`no route for +${cc}${n}!`) === 'no route for [number]!',
      ),
    );
  });
});

describe('serializeError', () => {
  it('keeps only frames of our own code', () => {
    const error = new Error('x');
    error.stack = [
      'Error: x',
      '    at send (/app/libs/dispatch/src/slot.ts:10:3)',
      '    at run (/app/node_modules/kafkajs/src/index.js:1:1)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    ].join('\n');
    expect(serializeError(error).stack).toEqual(['at send (/app/libs/dispatch/src/slot.ts:10:3)']);
  });

  it('takes whatever was thrown, without showing objects', () => {
    expect(serializeError('no')).toEqual({ name: 'NonError', message: 'no' });
    expect(serializeError({ to: '+447700900123' })).toEqual({ name: 'NonError', message: 'a thrown object' });
  });

  it('keeps the members of an AggregateError and ends a chain of causes', () => {
    const many = new AggregateError([new Error('a'), new Error('b')], 'both');
    expect(serializeError(many).errors?.map((e) => e.message)).toEqual(['a', 'b']);
    const self = new Error('round');
    self.cause = self;
    expect(JSON.stringify(serializeError(self)).match(/round/g)?.length).toBeLessThan(10);
  });
});
