import { setTimeout as delay } from 'node:timers/promises';
import type { Priority } from '@commservice/contracts';
import type { Composed } from '../run/subject.js';
import type { Arrival } from './arrivals.js';
import { epochMs, type PhaseName, type Sent } from './message-log.js';

/** Records of the backlog that are on their way at once: fewer bytes than a producer may hold. */
const CHUNK = 5_000;

/**
 * Writes messages where the dispatchers take them from, at their times. Invariant: `sent` holds every message that was asked
 * for, before it leaves. Caller: the run of one mode.
 */
export class Sender {
  readonly sent: Sent[] = [];

  constructor(private readonly compose: (priority: Priority) => Composed) {}

  /** Sends each arrival at its time; resolves when all are acknowledged. Rejects with the first fault. */
  async play(phase: PhaseName, schedule: readonly Arrival[]): Promise<void> {
    const from = performance.now();
    const open: Promise<void>[] = [];
    const failed = new AbortController();
    for (const { atMs, priority } of schedule) {
      const waitMs = from + atMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
      if (failed.signal.aborted) break;
      // a fault in mid-phase must not go unhandled until the phase is over
      open.push(this.send(phase, priority).catch((error: unknown) => failed.abort(error)));
    }
    await Promise.all(open);
    failed.signal.throwIfAborted();
  }

  /** Queues so many P3; resolves when all are acknowledged. */
  async backlog(count: number): Promise<void> {
    for (let done = 0; done < count; done += CHUNK) {
      const size = Math.min(CHUNK, count - done);
      await Promise.all(Array.from({ length: size }, () => this.send('flood', 'P3')));
    }
  }

  /** So many P1 at once; resolves when all are acknowledged. */
  async burst(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.send('burst', 'P1')));
  }

  private async send(phase: PhaseName, priority: Priority): Promise<void> {
    const atMs = epochMs();
    const message = this.compose(priority);
    this.sent.push({ id: message.id, priority, phase, atMs });
    await message.write();
  }
}
