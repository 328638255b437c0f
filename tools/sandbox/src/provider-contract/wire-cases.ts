import assert from 'node:assert/strict';
import type { SendOutcome } from '@commservice/contracts';
import { contractCase, type Bench, type ContractCase } from './harness.js';

/** Runs `act` and says how long it took, ms. */
async function timed<T>(act: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await act();
  return { value, ms: performance.now() - started };
}

const hanging = (b: Bench) => b.sandbox({ hang: { share: 1 } });

const cutting: ContractCase[] = [
  contractCase('a call that never gets an answer is of unknown effect at its deadline', async (b) => {
    const provider = await b.provider((await hanging(b)).url);
    const { value, ms } = await timed(() => b.send(provider, {}, { timeoutMs: 150 }));
    assert.equal(value.kind, 'unknown');
    assert.ok(ms >= 140 && ms < 250, `settled after ${ms} ms`);
  }),
  contractCase('a call aborted before it starts is not sent', async (b) => {
    const sandbox = await b.sandbox();
    const outcome = await b.send(await b.provider(sandbox.url), {}, { signal: AbortSignal.abort() });
    assert.equal(outcome.kind, 'retryable');
    assert.equal((await b.calls(sandbox)).length, 0);
  }),
  contractCase('a call aborted after it left is of unknown effect, within 100 ms', async (b) => {
    const sandbox = await hanging(b);
    const abort = new AbortController();
    const sent = b.send(await b.provider(sandbox.url), {}, { signal: abort.signal });
    await b.seen(sandbox, 1);
    const { value, ms } = await timed(() => {
      abort.abort();
      return sent;
    });
    assert.equal(value.kind, 'unknown');
    assert.ok(ms < 100, `settled after ${ms} ms`);
  }),
  contractCase('a call aborted while it waits for a connection is not sent', async (b) => {
    const sandbox = await hanging(b);
    const provider = await b.provider(sandbox.url, { connections: 1 });
    const first = b.send(provider, {}, { timeoutMs: 400 });
    await b.seen(sandbox, 1);
    const abort = new AbortController();
    const second = b.send(provider, {}, { signal: abort.signal });
    abort.abort();
    assert.equal((await second).kind, 'retryable');
    assert.equal((await first).kind, 'unknown');
    assert.equal((await b.calls(sandbox)).length, 1);
  }),
  contractCase('a message past its deadline does not leave', async (b) => {
    const sandbox = await b.sandbox();
    const outcome = await b.send(await b.provider(sandbox.url), {}, { deadlineAt: Date.now() - 1 });
    assert.ok(outcome.kind === 'retryable' && outcome.error.code === 'expired');
    assert.equal((await b.calls(sandbox)).length, 0);
  }),
  contractCase('a hung call delays no other', async (b) => {
    const sandbox = await hanging(b);
    const provider = await b.provider(sandbox.url);
    const hung = b.send(provider, {}, { timeoutMs: 600 });
    await b.seen(sandbox, 1);
    await b.configure(sandbox, { hang: { share: 0 } });
    const { value, ms } = await timed(() => b.send(provider));
    assert.equal(value.kind, 'accepted');
    assert.ok(ms < 200, `accepted after ${ms} ms`);
    assert.equal((await hung).kind, 'unknown');
  }),
  contractCase('draining settles everything in the air and takes nothing new', async (b) => {
    const sandbox = await hanging(b);
    const provider = await b.provider(sandbox.url);
    const sent = [b.send(provider, {}, { timeoutMs: 60_000 }), b.send(provider, {}, { timeoutMs: 60_000 })];
    await b.seen(sandbox, 2);
    const { ms } = await timed(() => provider.drain(100));
    assert.ok(ms < 300, `drained after ${ms} ms`);
    assert.deepEqual(
      (await Promise.all(sent)).map((o) => o.kind),
      ['unknown', 'unknown'],
    );
    assert.equal((await b.send(provider)).kind, 'retryable');
  }),
];

const breaking: ContractCase[] = [
  contractCase('a refused connection means that nothing was sent', async (b) => {
    const sandbox = await b.sandbox();
    await sandbox.stop();
    const outcome = await b.send(await b.provider(sandbox.url));
    assert.ok(outcome.kind === 'retryable' && outcome.error.code === 'connection_refused');
  }),
  contractCase('a connection reset after the request left is of unknown effect', async (b) => {
    const sandbox = await b.sandbox({ fail: { share: 1, status: 0 } });
    const outcome = await b.send(await b.provider(sandbox.url));
    assert.equal(outcome.kind, 'unknown');
    assert.equal((await b.calls(sandbox)).length, 1);
  }),
  contractCase('a success whose body cannot be read is of unknown effect', async (b) => {
    const bodies = ['', 'OK', '{"status":"error"}', '[]', `{"providerId":"v","pad":"${'x'.repeat(70_000)}"}`];
    let next = 0;
    const server = await b.server((req, res) => res.end(req.method === 'POST' ? bodies[next++] : ''));
    const provider = await b.provider(server.url);
    for (const body of bodies)
      assert.equal((await b.send(provider)).kind, 'unknown', `body of ${body.length}`);
  }),
  contractCase('a redirect is not followed', async (b) => {
    let followed = 0;
    const other = await b.server((_req, res) => {
      followed += 1;
      res.end('{"providerId":"v"}');
    });
    const server = await b.server((_req, res) => res.writeHead(307, { location: `${other.url}/x` }).end());
    assert.equal((await b.send(await b.provider(server.url))).kind, 'misconfigured');
    assert.equal(followed, 0);
  }),
  contractCase('a first call after the start opens no connection', async (b) => {
    const server = await b.server((_req, res) => res.end('{"providerId":"v"}'));
    const provider = await b.provider(server.url);
    const warm = server.connections();
    assert.ok(warm >= 1);
    assert.equal((await b.send(provider)).kind, 'accepted');
    assert.equal(server.connections(), warm);
  }),
  contractCase('a configuration that cannot work is refused at the start', async (b) => {
    await assert.rejects(b.provider('no url'));
    await assert.rejects(b.provider('http://user:secret@127.0.0.1:1'));
    await assert.rejects(b.provider('http://127.0.0.1:1', { connections: 0 }));
  }),
];

/** The texts of an address or content that nobody may see; which platform or service it is, is no secret. */
const texts = (value: object): string[] =>
  Object.entries(value).flatMap(([field, v]) =>
    typeof v === 'string' && field !== 'platform' && field !== 'service' ? [v] : [],
  );

const hiding: ContractCase[] = [
  contractCase('no error carries an address, a text or a secret that the vendor echoes', async (b) => {
    const secrets = [...texts(b.subject.address), ...texts(b.subject.content), 'planted-secret'];
    const answers: ((echo: string) => [number, string])[] = [
      (echo) => [400, JSON.stringify({ code: echo, message: echo })],
      (echo) => [422, JSON.stringify({ code: `x_${echo}`, detail: { to: echo } })],
      (echo) => [401, echo],
      (echo) => [429, JSON.stringify({ code: echo })],
      (echo) => [500, echo],
      (echo) => [200, JSON.stringify({ error: echo })],
    ];
    let answer: [number, string] = [200, ''];
    const server = await b.server((_req, res) => {
      res.writeHead(answer[0], { 'x-echo': 'planted-secret', 'retry-after': '1' }).end(answer[1]);
    });
    const provider = await b.provider(server.url);
    for (const echo of [...texts(b.subject.address), ...texts(b.subject.content), 'planted-secret 481516']) {
      for (const make of answers) {
        answer = make(echo);
        mustHide(await b.send(provider), secrets, `${answer[0]}`);
      }
    }
  }),
];

function mustHide(outcome: SendOutcome, secrets: readonly string[], what: string): void {
  assert.notEqual(outcome.kind, 'accepted', what);
  const shown = JSON.stringify(outcome).toLowerCase();
  for (const secret of secrets)
    assert.ok(!shown.includes(secret.toLowerCase()), `${what}: an error echoes what it must not`);
}

/** What a provider makes of time, aborts and broken connections, and what it keeps to itself. */
export const WIRE_CASES: readonly ContractCase[] = [...cutting, ...breaking, ...hiding];
