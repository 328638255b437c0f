import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { PeerMessage, PeerSettings } from './peer-settings.js';
import type { SharedBucket } from './shared-bucket.js';

const CALL_MS = 10_000;
/** After a fault of the provider. */
const PAUSE_MS = 500;

/** Sends messages to the sandbox, each with a token of its own where there is a bucket, until it is accepted. */
export class ProviderCall {
  private readonly pool: Pool;

  /** @param bucket absent where the queue itself keeps the rate */
  constructor(
    private readonly settings: PeerSettings,
    private readonly bucket: SharedBucket | undefined,
  ) {
    this.pool = new Pool(settings.sandbox, {
      connections: 64,
      headersTimeout: CALL_MS,
      bodyTimeout: CALL_MS,
    });
  }

  async send(message: PeerMessage): Promise<void> {
    for (;;) {
      const waitMs = (await this.bucket?.take()) ?? 0;
      if (waitMs > 0) await delay(waitMs);
      const again = await this.once(message).catch(() => PAUSE_MS);
      if (again === undefined) return;
      await delay(again);
    }
  }

  /** One call; undefined when it is settled, else how long to wait before the next, ms. */
  private async once({ id, priority, ...rest }: PeerMessage): Promise<number | undefined> {
    const { statusCode, headers, body } = await this.pool.request({
      method: 'POST',
      path: '/sms/messages',
      headers: {
        'content-type': 'application/json',
        'x-message-id': id,
        'x-priority': priority,
        'x-brand': 'alfa',
        'x-pod': this.settings.pod,
        'x-account': this.settings.account,
        'x-kind': 'message',
      },
      body: JSON.stringify({ ...rest, units: 1 }),
    });
    await body.dump();
    if (statusCode === 429) return Number(headers['retry-after'] ?? 0.1) * 1000;
    return statusCode >= 500 ? PAUSE_MS : undefined;
  }
}
