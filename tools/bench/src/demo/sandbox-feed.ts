import type { Channel, Priority } from '@commservice/contracts';

/** One call at the provider, as far as the demo needs it. */
export interface SeenCall {
  readonly id: string;
  readonly priority: Priority;
  /** Start of the call, epoch ms. */
  readonly atMs: number;
  readonly units: number;
  readonly account: string;
  readonly kind: string;
  readonly outcome: string;
}

/** Follows the provider's own record of one channel's calls; the first look begins now. */
export class SandboxFeed {
  private constructor(
    private readonly base: string,
    private readonly channel: Channel,
    private seq: number,
  ) {}

  static async open(base: string, channel: Channel): Promise<SandboxFeed> {
    const health = (await (await fetch(`${base}/health/ready`)).json()) as { calls?: number };
    return new SandboxFeed(base, channel, health.calls ?? 0);
  }

  /** Calls since the last look. */
  async next(): Promise<SeenCall[]> {
    const text = await (
      await fetch(`${this.base}/control/calls?channel=${this.channel}&since=${this.seq}`)
    ).text();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { seq, atEpochUs, ...call } = JSON.parse(line) as SeenCall & { seq: number; atEpochUs: number };
        this.seq = Math.max(this.seq, seq);
        return { ...call, atMs: atEpochUs / 1000 };
      });
  }
}
