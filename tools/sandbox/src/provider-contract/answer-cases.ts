import assert from 'node:assert/strict';
import type { SendOutcome } from '@commservice/contracts';
import { contractCase, TRACEPARENT, type ContractCase } from './harness.js';

const STATUS_KINDS: Readonly<Record<number, SendOutcome['kind']>> = {
  401: 'misconfigured',
  403: 'misconfigured',
  408: 'retryable',
  425: 'retryable',
  429: 'throttled',
  500: 'retryable',
  503: 'retryable',
  502: 'unknown',
  504: 'unknown',
};

const sending: ContractCase[] = [
  contractCase(
    'an accepted message names the vendor id and the units, and the call shows who sent it',
    async (b) => {
      const sandbox = await b.sandbox();
      const provider = await b.provider(sandbox.url);
      const outcome = await b.send(provider, { brand: 'beta', kind: 'heartbeat' });
      assert.equal(outcome.kind, 'accepted');
      assert.ok(outcome.kind === 'accepted' && outcome.providerIds[0] && outcome.units === 1);
      assert.ok(outcome.wire.latencyMs > 0);
      const [call] = await b.calls(sandbox);
      const { pod, account, brand, kind, priority, declared, channel } = call ?? {};
      assert.deepEqual(
        { pod, account, brand, kind, priority, declared, channel },
        {
          pod: 'contract-pod',
          account: 'contract-a',
          brand: 'beta',
          kind: 'heartbeat',
          priority: 'P1',
          declared: 1,
          channel: b.subject.channel,
        },
      );
    },
  ),
  contractCase(
    'address, content, validity, receipt address and trace reach the vendor as they are',
    async (b) => {
      let seen: { path?: string; trace?: unknown; body?: unknown } = {};
      const server = await b.server((req, res, body) => {
        if (req.method === 'POST') {
          seen = { path: req.url, trace: req.headers.traceparent, body: JSON.parse(body) as unknown };
        }
        res.end('{"providerId":"v1"}');
      });
      const receiptUrl = (generation: number) => `http://127.0.0.1:1/receipts/x?generation=${generation}`;
      const provider = await b.provider(`${server.url}/prefix`, { receiptUrl });
      const deadlineAt = Date.now() + 30_000;
      const outcome = await b.send(provider, { units: 3, generation: 2 }, { deadlineAt });
      assert.ok(outcome.kind === 'accepted' && outcome.receipt === 'expected' && outcome.units === 3);
      const { address: to, content } = b.subject;
      assert.deepEqual(seen, {
        path: `/prefix/${b.subject.channel}/messages`,
        trace: TRACEPARENT,
        body: { to, content, units: 3, expiresAt: deadlineAt, receiptUrl: receiptUrl(2) },
      });
    },
  ),
  contractCase('the same message again gets the same answer and is not sent twice', async (b) => {
    const sandbox = await b.sandbox();
    const provider = await b.provider(sandbox.url);
    const message = b.message();
    const first = await b.send(provider, message);
    const second = await b.send(provider, message);
    assert.ok(first.kind === 'accepted' && second.kind === 'accepted');
    assert.deepEqual(second.providerIds, first.providerIds);
    assert.deepEqual(
      (await b.calls(sandbox)).map((c) => c.outcome),
      ['accepted', 'duplicate'],
    );
  }),
  contractCase('a receipt of the vendor is read from its webhook', async (b) => {
    let arrived: (body: string) => void = () => undefined;
    const body = new Promise<string>((resolve) => (arrived = resolve));
    const hook = await b.server((_req, res, text) => {
      arrived(text);
      res.end();
    });
    const sandbox = await b.sandbox();
    const provider = await b.provider(sandbox.url, { receiptUrl: () => hook.url });
    const message = b.message();
    const outcome = await b.send(provider, message);
    const read = provider.parseWebhook(Buffer.from(await body), {});
    assert.ok(read.ok && outcome.kind === 'accepted');
    const [receipt] = read.receipts;
    assert.equal(receipt?.id, message.notificationId);
    assert.equal(receipt?.providerId, outcome.providerIds[0]);
    assert.equal(receipt?.state, 'delivered');
    assert.equal(provider.parseWebhook(Buffer.from('{"receipts":[{}]}'), {}).ok, false);
  }),
];

const refusing: ContractCase[] = [
  contractCase('every status has its class', async (b) => {
    const sandbox = await b.sandbox();
    const provider = await b.provider(sandbox.url);
    for (const [status, kind] of Object.entries(STATUS_KINDS)) {
      await b.configure(sandbox, { fail: { share: 1, status: Number(status) } });
      assert.equal((await b.send(provider)).kind, kind, `status ${status}`);
    }
  }),
  contractCase('a refused message and a refused recipient are told apart by the vendor code', async (b) => {
    const provider = await b.provider((await b.sandbox()).url);
    const message = await b.send(provider, { address: b.subject.refusedMessage });
    const recipient = await b.send(provider, { address: b.subject.refusedRecipient });
    assert.ok(message.kind === 'rejected' && message.terminalFor === 'message' && !message.error.unmapped);
    assert.ok(recipient.kind === 'rejected' && recipient.terminalFor === 'recipient');
    assert.equal(recipient.error.code, b.subject.recipientCode);
  }),
  contractCase('a code that no table knows is reported as unmapped', async (b) => {
    const sandbox = await b.sandbox({ refuse: [{ pattern: '.', code: 'never_heard_of' }] });
    const outcome = await b.send(await b.provider(sandbox.url));
    assert.ok(outcome.kind === 'rejected' && outcome.terminalFor === 'message');
    assert.equal(outcome.error.unmapped, true);
    assert.equal(outcome.error.code, 'never_heard_of');
  }),
  contractCase('above the rate the account is throttled and says for how long', async (b) => {
    const provider = await b.provider((await b.sandbox({ ratePerSecond: 1 })).url);
    const outcomes = [await b.send(provider), await b.send(provider), await b.send(provider)];
    assert.deepEqual(
      outcomes.map((o) => o.kind),
      ['accepted', 'accepted', 'throttled'],
    );
    const last = outcomes[2];
    assert.ok(last?.kind === 'throttled' && last.scope === 'account');
    assert.ok(last.retryAfterMs !== undefined && last.retryAfterMs > 0 && last.retryAfterMs <= 1_000);
  }),
  contractCase('an account without idempotency is told so', async (b) => {
    const sandbox = await b.sandbox();
    assert.equal((await b.provider(sandbox.url, { idempotency: 'none' })).capabilities.idempotency, 'none');
    assert.equal((await b.provider(sandbox.url)).capabilities.channel, b.subject.channel);
  }),
];

/** What a provider makes of a vendor's answers. */
export const ANSWER_CASES: readonly ContractCase[] = [...sending, ...refusing];
