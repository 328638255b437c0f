import type { Address, Content, Outbound } from '@commservice/contracts';
import { EMAIL_CODES } from './codes.js';
import { createEmailProvider } from './email-provider.js';

const provider = createEmailProvider({
  baseUrl: 'http://127.0.0.1:1',
  pod: 'p',
  account: 'a',
  priority: 'P2',
  receiptUrl: () => undefined,
  connections: 1,
  idempotency: 'none',
});

const GOOD: { address: Address; content: Content } = {
  address: { email: 'a@x.test' },
  content: { subject: 's', text: 'x' },
};

const send = (address: Address, content: Content) => {
  const id = '0197f3a0-0000-7000-8000-000000000001';
  const ids = { notificationId: id, attemptId: `${id}:1`, idempotencyKey: id, account: 'a' };
  const facts = {
    priority: 'P2',
    brand: 'alfa',
    units: 1,
    kind: 'message',
    wantReceipt: true,
    generation: 0,
  } as const;
  const message: Outbound = { ...ids, ...facts, address, content };
  const signal = new AbortController().signal;
  return provider.send(message, {
    signal,
    deadlineAt: 1e15,
    timeoutMs: 100,
    attempt: 1,
    trace: { traceparent: '' },
  });
};

describe('the email provider', () => {
  it.each<[string, Address, Content, string]>([
    ["another channel's address", { phone: '+447700900123' }, { subject: 's', text: 'x' }, 'unfit_address'],
    [
      'an address that injects a header',
      { email: 'a@x.test\r\nBcc: b@x.test' },
      { subject: 's', text: 'x' },
      'unfit_address',
    ],
    ['a list of addresses', { email: 'a@x.test, b@x.test' }, { subject: 's', text: 'x' }, 'unfit_address'],
    [
      'a quoted local part',
      { email: '"x@evil.test x"@bank.test' },
      { subject: 's', text: 'x' },
      'unfit_address',
    ],
    [
      'a subject that injects a header',
      { email: 'a@x.test' },
      { subject: 's\nBcc: b@x.test', text: 'x' },
      'unfit_header',
    ],
    [
      'a name that injects a header',
      { email: 'a@x.test', name: 'A\r\nX: y' },
      { subject: 's', text: 'x' },
      'unfit_header',
    ],
    ["another channel's content", { email: 'a@x.test' }, { text: 'x' }, 'unfit_content'],
  ])('refuses %s without sending', async (_name, address, content, code) => {
    expect(await send(address, content)).toMatchObject({
      kind: 'rejected',
      terminalFor: 'message',
      error: { code },
    });
  });

  it('sends nothing before it is started', async () => {
    const good = await send(GOOD.address, GOOD.content);
    expect(good).toMatchObject({ kind: 'retryable', error: { code: 'not_started' } });
  });

  it('names its codes in words that may be logged', () => {
    for (const code of Object.keys(EMAIL_CODES)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
