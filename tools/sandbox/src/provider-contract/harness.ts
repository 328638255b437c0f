import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Address,
  Channel,
  Content,
  Outbound,
  Priority,
  Provider,
  SendContext,
  SendOutcome,
} from '@commservice/contracts';
import { startSandbox, type Sandbox } from '../server.js';
import type { ConfigChange } from '../config.js';

/** The options that every channel's factory takes. */
export interface ContractOptions {
  readonly baseUrl: string;
  readonly pod: string;
  readonly account: string;
  readonly priority: Priority;
  readonly receiptUrl: (generation: number) => string | undefined;
  readonly connections: number;
  readonly idempotency: 'key' | 'none';
}

/** A channel under test: its factory and one good message. */
export interface ContractSubject {
  readonly channel: Channel;
  readonly create: (options: ContractOptions) => Provider;
  readonly address: Address;
  readonly content: Content;
  /** Recipients that the sandbox treats specially (magic.ts). */
  readonly refusedMessage: Address;
  readonly refusedRecipient: Address;
  /** A recipient-terminal code of the channel's table. */
  readonly recipientCode: string;
}

export interface ContractCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /** Rejects (node:assert) when the behaviour is not there. */
  readonly run: (subject: ContractSubject) => Promise<void>;
}

export const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ACCOUNT = 'contract-a';

/** What one case uses: a server, a provider on it, and how to send. Everything is closed after the case. */
export class Bench {
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(readonly subject: ContractSubject) {}

  static async with(subject: ContractSubject, run: (bench: Bench) => Promise<void>): Promise<void> {
    const bench = new Bench(subject);
    try {
      await run(bench);
    } finally {
      for (const close of bench.closers.reverse()) await close();
    }
  }

  /** A real sandbox on a free port, quick, with these values for the account. */
  async sandbox(account: ConfigChange[string] = {}): Promise<Sandbox> {
    const values = { latencyMs: 1, receipts: { delayMs: 1 }, ...account };
    const sandbox = await startSandbox({
      port: 0,
      config: { [ACCOUNT]: values },
      receipts: { everyMs: 5, retryMs: 20 },
    });
    this.closers.push(() => sandbox.stop());
    return sandbox;
  }

  /** A bare HTTP server for what the sandbox would never do. */
  async server(handle: (req: IncomingMessage, res: ServerResponse, body: string) => void) {
    let connections = 0;
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => handle(req, res, Buffer.concat(chunks).toString('utf8')));
    });
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, connections: () => connections };
  }

  /** A started provider of the channel. */
  async provider(baseUrl: string, options: Partial<ContractOptions> = {}): Promise<Provider> {
    const provider = this.subject.create({
      baseUrl,
      pod: 'contract-pod',
      account: ACCOUNT,
      priority: 'P1',
      receiptUrl: () => undefined,
      connections: 8,
      idempotency: 'key',
      ...options,
    });
    this.closers.push(() => provider.drain(0));
    await provider.start();
    return provider;
  }

  message(change: Partial<Outbound> = {}): Outbound {
    const id = randomUUID();
    const { address, content } = this.subject;
    return {
      notificationId: id,
      attemptId: `${id}:1`,
      idempotencyKey: id,
      address,
      content,
      priority: 'P1',
      brand: 'alfa',
      units: 1,
      kind: 'message',
      account: ACCOUNT,
      wantReceipt: true,
      generation: 0,
      ...change,
    };
  }

  /** Sends one message; by default with 2 s for the answer. */
  send(
    provider: Provider,
    change: Partial<Outbound> = {},
    context: Partial<SendContext> = {},
  ): Promise<SendOutcome> {
    return provider.send(this.message(change), {
      signal: new AbortController().signal,
      deadlineAt: Date.now() + 60_000,
      timeoutMs: 2_000,
      attempt: 1,
      trace: { traceparent: TRACEPARENT },
      ...context,
    });
  }

  /** Changes the account's values while it runs. */
  async configure(sandbox: Sandbox, values: ConfigChange[string]): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ [ACCOUNT]: values });
    const reply = await fetch(`${sandbox.url}/control/config`, { method: 'PUT', headers, body });
    if (!reply.ok) throw new Error(`the sandbox refused a configuration: ${reply.status}`);
  }

  /** The calls the sandbox has seen. */
  async calls(sandbox: Sandbox): Promise<Record<string, unknown>[]> {
    const text = await (await fetch(`${sandbox.url}/control/calls`)).text();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits until the sandbox has seen `count` calls. */
  async seen(sandbox: Sandbox, count: number): Promise<void> {
    for (const end = Date.now() + 5_000; Date.now() < end;) {
      if ((await this.calls(sandbox)).length >= count) return;
    }
    throw new Error(`the sandbox did not see ${count} calls within 5 s`);
  }
}

/** A case that gets its own bench. */
export const contractCase = (name: string, run: (bench: Bench) => Promise<void>): ContractCase => ({
  name,
  run: (subject) => Bench.with(subject, run),
});
