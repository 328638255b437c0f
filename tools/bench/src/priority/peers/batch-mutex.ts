import { setTimeout as delay } from 'node:timers/promises';
import type { Priority } from '@commservice/contracts';
import type { Redis } from 'ioredis';

/** A holder that dies is forgotten after this. */
const TTL_MS = 1_000;
const LOOK_MS = 10;

/** The class that each class looks at: P3 looks only at P2, as the original does. */
const LOOKS_AT: Readonly<Record<Priority, Priority | undefined>> = { P1: undefined, P2: 'P1', P3: 'P2' };

/**
 * The mutex of the original design, faults included: one key a class without counting its holders, looked at before each
 * batch and never within one. Caller: the peer of mode `original`.
 */
export class BatchMutex {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  /**
   * Runs a batch of the class: waits while the class above is active, and is active itself meanwhile.
   * @param waiting called again and again while it waits
   */
  async run(priority: Priority, batch: () => Promise<void>, waiting: () => Promise<void>): Promise<void> {
    const above = LOOKS_AT[priority];
    while (above && (await this.redis.exists(this.key(above))) === 1) {
      await delay(LOOK_MS);
      await waiting();
    }
    if (priority === 'P3') return batch();
    await this.redis.set(this.key(priority), '1', 'PX', TTL_MS);
    try {
      await batch();
    } finally {
      await this.redis.del(this.key(priority));
    }
  }

  private key(priority: Priority): string {
    return `${this.prefix}:${priority}:active`;
  }
}
