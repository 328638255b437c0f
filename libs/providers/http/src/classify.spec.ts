import fc from 'fast-check';
import { WIRE_CODES, connectCode } from './answer.js';
import { classify, type SendFacts } from './classify.js';
import {
  REJECTED_RECIPIENT,
  RETRYABLE,
  THROTTLED_RECIPIENT,
  MISCONFIGURED_ACCOUNT,
  MISCONFIGURED_SENDER,
  type CodeTable,
} from './code-table.js';
import { UNREADABLE_CODE, safeCode } from './vendor-answer.js';

const codes: CodeTable = {
  gone: REJECTED_RECIPIENT,
  busy: RETRYABLE,
  slow: THROTTLED_RECIPIENT,
  sender: MISCONFIGURED_SENDER,
  broke: MISCONFIGURED_ACCOUNT,
};
const facts: SendFacts = {
  codes,
  idempotency: 'key',
  address: { phone: '+447700900123' },
  units: 2,
  receipt: 'expected',
  nowEpochMs: 0,
};
const answered = (status: number, body?: unknown, retryAfter?: string, change: Partial<SendFacts> = {}) =>
  classify(
    {
      kind: 'answered',
      status,
      retryAfter,
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    },
    { ...facts, ...change },
  );

describe('classifying an answer', () => {
  it.each([
    [200, { providerId: 'v', units: 3 }, { kind: 'accepted', providerIds: ['v'], units: 3 }],
    [202, { providerId: 'v' }, { kind: 'accepted', units: 2, receipt: 'expected' }],
    [200, { ok: true }, { kind: 'unknown' }],
    [204, undefined, { kind: 'unknown' }],
    [302, undefined, { kind: 'misconfigured', scope: 'account', error: { unmapped: true } }],
    [303, undefined, { kind: 'unknown' }],
    [400, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [410, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [422, { code: 'busy' }, { kind: 'retryable' }],
    [400, { code: 'slow' }, { kind: 'throttled', scope: 'recipient' }],
    [400, { code: 'sender' }, { kind: 'misconfigured', scope: 'sender' }],
    [400, { code: 'incomplete' }, { kind: 'rejected', terminalFor: 'message' }],
    [400, undefined, { kind: 'rejected', error: { code: 'http_400', unmapped: true } }],
    [401, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [403, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [403, { code: 'sender' }, { kind: 'misconfigured', scope: 'sender' }],
    [403, { code: 'odd' }, { kind: 'misconfigured', scope: 'account', error: { unmapped: true } }],
    [401, undefined, { kind: 'misconfigured', scope: 'account', error: { unmapped: true } }],
    [402, { code: 'broke' }, { kind: 'misconfigured', scope: 'account', error: { code: 'broke' } }],
    [408, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [429, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [404, { code: 'gone' }, { kind: 'rejected', terminalFor: 'recipient' }],
    [404, { code: 'not_found' }, { kind: 'misconfigured', error: { unmapped: true } }],
    [404, undefined, { kind: 'misconfigured', scope: 'account', error: { unmapped: true } }],
    [404, { code: 'odd' }, { kind: 'rejected', error: { code: 'odd', unmapped: true } }],
    [409, { code: 'exists' }, { kind: 'accepted', providerIds: [] }],
    [429, { code: 'slow' }, { kind: 'throttled', scope: 'recipient' }],
    [429, { code: 'any' }, { kind: 'throttled', scope: 'account' }],
    [501, undefined, { kind: 'unknown' }],
  ])('%i with %j', (status, body, expected) => {
    expect(answered(status, body)).toMatchObject(expected);
  });

  it('does not take a conflict for success on an account without idempotency', () => {
    expect(answered(409, { code: 'exists' }, undefined, { idempotency: 'none' }).kind).toBe('rejected');
  });

  it('does not call a body that is too large an unknown code', () => {
    const result = answered(413);
    expect(result.kind === 'rejected' && result.error.unmapped).toBeFalsy();
  });

  it('says of no code of the account that a table knows that it is in none', () => {
    const result = answered(402, { code: 'broke' });
    expect(result.kind === 'misconfigured' && result.error.unmapped).toBeFalsy();
  });

  it('passes the hint of a throttle and of an outage on', () => {
    expect(answered(429, {}, '0.5')).toMatchObject({ retryAfterMs: 500 });
    expect(answered(503, {}, '3')).toMatchObject({ retryAfterMs: 3_000 });
    expect(answered(429, {}, '-3')).not.toHaveProperty('retryAfterMs');
  });

  it('is never sure that nothing was sent once bytes have left', () => {
    for (const code of WIRE_CODES) expect(classify({ kind: 'lost', code }, facts).kind).toBe('unknown');
  });

  it('gives every status and body a class, and looks up no inherited property', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.constantFrom('constructor', '__proto__', 'x', 1, null),
        (s, code) => {
          expect(typeof answered(s, { code }).kind).toBe('string');
        },
      ),
    );
  });
});

describe('a code that may be logged', () => {
  it('keeps short words and short numbers', () => {
    expect([safeCode('invalid_number', facts.address), safeCode(35, facts.address)]).toEqual([
      'invalid_number',
      'vendor_35',
    ]);
  });

  it.each(['+447700900123', 'code 481516', 'x481516', 'too long '.repeat(20), '', { a: 1 }, null, 'n7700'])(
    'replaces %j',
    (code) => {
      expect(safeCode(code, facts.address)).toBe(UNREADABLE_CODE);
    },
  );

  it('replaces what contains a part of the address', () => {
    expect(safeCode('bad_somebody', { email: 'somebody@mail.example' })).toBe(UNREADABLE_CODE);
    expect(safeCode('fcm_refused', { platform: 'fcm', token: 'tokenvalue' })).toBe('fcm_refused');
  });
});

describe('the code of a failure to connect', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'connection_refused'],
    [{ code: 'ENOTFOUND' }, 'dns_failed'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'tls_failed'],
    [{ code: 'ERR_INVALID_CHAR' }, 'unsendable'],
    [{ code: 'EWHATEVER' }, 'connection_failed'],
    [undefined, 'connection_failed'],
  ])('%j is %s', (error, expected) => {
    expect(connectCode(error)).toBe(expected);
  });

  it('of several addresses is that of the first', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(connectCode(new AggregateError([refused]))).toBe('connection_refused');
  });
});
