import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { Logger } from '@commservice/telemetry';

const CHECK_EVERY_MS = 5_000;

/** The 64-bit number PostgreSQL locks on, as text. */
export function lockKeyOf(name: string): string {
  return createHash('sha256').update(`commservice:${name}`).digest().readBigInt64BE(0).toString();
}

/**
 * The right to be the only one doing something, held by an open database session. HELD → LOST | RELEASED.
 * HELD → LOST when the session breaks or stops answering; then another process may already hold it, so the work
 * must stop at `lost`. What must hold even in the moments between is guarded elsewhere (claims, row states).
 */
export class AdvisoryLock {
  private readonly abort = new AbortController();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly client: Client,
    readonly name: string,
    private readonly logger: Logger,
  ) {
    client.on('error', () => this.lose());
    client.on('end', () => this.lose());
    this.timer = setInterval(() => void client.query('SELECT 1').catch(() => this.lose()), CHECK_EVERY_MS);
    this.timer.unref();
  }

  /** Aborted when the lock is no longer ours, also after `release`. */
  get lost(): AbortSignal {
    return this.abort.signal;
  }

  static async acquire(client: Client, name: string, logger: Logger): Promise<AdvisoryLock | undefined> {
    client.on('error', () => undefined);
    try {
      await client.connect();
      const answer = await client.query<{ held: boolean }>(
        'SELECT pg_try_advisory_lock($1::bigint) AS held',
        [lockKeyOf(name)],
      );
      if (answer.rows[0]?.held) return new AdvisoryLock(client, name, logger);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    await client.end().catch(() => undefined);
    return undefined;
  }

  /** Gives the lock back. Idempotent; never rejects. */
  async release(): Promise<void> {
    this.stop();
    await this.client.end().catch(() => undefined);
  }

  private lose(): void {
    if (this.abort.signal.aborted) return;
    this.logger.warn({ lock: this.name }, 'an advisory lock was lost with its connection');
    this.stop();
    void this.client.end().catch(() => undefined);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.abort.abort();
  }
}
