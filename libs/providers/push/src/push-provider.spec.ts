import type { Address, Content, Outbound } from '@commservice/contracts';
import { PUSH_CODES } from './codes.js';
import { createPushProvider } from './push-provider.js';

const provider = createPushProvider({
  baseUrl: 'http://127.0.0.1:1',
  pod: 'p',
  account: 'a',
  priority: 'P2',
  receiptUrl: () => undefined,
  connections: 1,
  idempotency: 'none',
});

const GOOD: { address: Address; content: Content } = {
  address: { platform: 'fcm', token: 'x' },
  content: { title: 't', body: 'b' },
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

describe('the push provider', () => {
  it.each<[string, Address, Content, string]>([
    ["another channel's address", { phone: '+447700900123' }, { title: 't', body: 'b' }, 'unfit_address'],
    ['an empty token', { platform: 'fcm', token: '' }, { title: 't', body: 'b' }, 'unfit_address'],
    ["another channel's content", { platform: 'fcm', token: 'x' }, { text: 'x' }, 'unfit_content'],
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
    for (const code of Object.keys(PUSH_CODES)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
