import type { Channel, Priority } from '@commservice/contracts';

/** One call as the provider sandbox saw it (design §4.6). */
export interface Call {
  readonly seq: number;
  readonly atEpochUs: number;
  readonly channel: Channel;
  readonly id: string;
  readonly priority: Priority;
  readonly brand: string;
  readonly pod: string;
  readonly account: string;
  readonly kind: 'message' | 'heartbeat';
  readonly units: number;
  readonly declared: number;
  readonly expiresAt: number;
  readonly outcome: 'accepted' | 'refused' | 'throttled' | 'failed' | 'hung' | 'duplicate';
  /** The sandbox's own event-loop lag then, ms. */
  readonly lagMs: number;
}

/** What `PUT /control/config` takes for one channel or account. */
export interface SandboxChange {
  /** Null = unlimited. */
  readonly ratePerSecond?: number | null;
  readonly latencyMs?: number;
  readonly refuse?: readonly { pattern: string; code: string }[];
  readonly fail?: { share: number; status?: number };
  readonly hang?: { share: number };
}

/**
 * The provider's own record of what reached it. `see()` fetches what is new and adds it to `everything` and, heartbeats left
 * out, to `calls`; it starts with the calls made after `open`. Looks may overlap. Caller: one journey.
 */
export class SandboxView {
  readonly calls: Call[] = [];
  /** With heartbeats, which count in the rate. */
  readonly everything: Call[] = [];

  private constructor(
    private readonly base: string,
    private seq: number,
  ) {}

  /** A view that begins now, on a sandbox in its first state. */
  static async open(base: string): Promise<SandboxView> {
    await fetch(`${base}/control/config`, { method: 'DELETE' });
    const health = (await (await fetch(`${base}/health/ready`)).json()) as { calls: number };
    return new SandboxView(base, health.calls);
  }

  async configure(change: Readonly<Record<string, SandboxChange>>): Promise<void> {
    const response = await fetch(`${this.base}/control/config`, {
      method: 'PUT',
      body: JSON.stringify(change),
    });
    if (!response.ok) throw new Error(`the sandbox refused its configuration: ${response.status}`);
  }

  /** Back to the sandbox's first state. */
  async reset(): Promise<void> {
    await fetch(`${this.base}/control/config`, { method: 'DELETE' });
  }

  /** Looks again; all message calls so far, in the order they came. */
  async see(): Promise<readonly Call[]> {
    const text = await (await fetch(`${this.base}/control/calls?since=${this.seq}`)).text();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const call = JSON.parse(line) as Call;
      if (call.seq <= this.seq) continue; // another look was faster
      this.seq = call.seq;
      this.everything.push(call);
      if (call.kind === 'message') this.calls.push(call);
    }
    return this.calls;
  }

  /** Calls seen so far that fit. */
  count(fits: (call: Call) => boolean): number {
    return this.calls.reduce((sum, call) => sum + (fits(call) ? 1 : 0), 0);
  }

  /** How many calls ended how, for messages of failures. */
  tally(): string {
    const counts = new Map<string, number>();
    for (const { channel, priority, outcome } of this.calls) {
      const key = `${channel} ${priority} ${outcome}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].map(([key, n]) => `${key} ${n}`).join(', ') || 'no call';
  }
}
