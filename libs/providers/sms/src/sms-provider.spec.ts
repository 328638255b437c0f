import type { Address, Content, Outbound } from '@commservice/contracts';
import { SMS_CODES } from './codes.js';
import { createSmsProvider } from './sms-provider.js';

const provider = createSmsProvider({
  baseUrl: 'http://127.0.0.1:1',
  pod: 'p',
  account: 'a',
  priority: 'P2',
  receiptUrl: () => undefined,
  connections: 1,
  idempotency: 'none',
});

const GOOD: { address: Address; content: Content } = {
  address: { phone: '+447700900123' },
  content: { text: 'x' },
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

describe('the sms provider', () => {
  it.each<[string, Address, Content, string]>([
    ["another channel's address", { email: 'a@mail.example' }, { text: 'x' }, 'unfit_address'],
    ['a number that is not E.164', { phone: '07700 900123' }, { text: 'x' }, 'unfit_address'],
    ["another channel's content", { phone: '+447700900123' }, { subject: 's', text: 'x' }, 'unfit_content'],
    ['an empty text', { phone: '+447700900123' }, { text: '' }, 'unfit_content'],
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
    for (const code of Object.keys(SMS_CODES)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
