import { setTimeout as delay } from 'node:timers/promises';
import { PRIORITIES, type Priority } from '@commservice/contracts';
import { RecordProducer } from '@commservice/kafka';
import { silentLogger } from '@commservice/telemetry';
import { BenchFault } from '../../fault.js';
import type { Composed } from '../run/subject.js';
import type { Arrival } from './arrivals.js';
import { epochMs, type PhaseName, type Sent } from './message-log.js';

const PRODUCE_MS = 15_000;
/** Records of the backlog that are on their way at once: fewer bytes than a producer may hold. */
const CHUNK = 5_000;

/**
 * Writes messages straight to the topics, one producer a class, as ingest-api does. States: created → connected → closed.
 * Invariant: `sent` holds every message that was asked for, before its record leaves. Caller: the run of one mode.
 */
export class Sender {
  readonly sent: Sent[] = [];
  private readonly producers: Readonly<Record<Priority, RecordProducer>>;

  constructor(
    broker: string,
    private readonly compose: (priority: Priority) => Composed,
  ) {
    const producer = (priority: Priority): RecordProducer =>
      new RecordProducer({
        kafka: { brokers: [broker], clientId: `bench-${priority.toLowerCase()}` },
        logger: silentLogger,
      });
    this.producers = { P1: producer('P1'), P2: producer('P2'), P3: producer('P3') };
  }

  async connect(topics: Readonly<Record<Priority, string>>): Promise<void> {
    await Promise.all(PRIORITIES.map((p) => this.producers[p].connect([topics[p]])));
  }

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

  async close(): Promise<void> {
    await Promise.all(PRIORITIES.map((p) => this.producers[p].close(2_000)));
  }

  private async send(phase: PhaseName, priority: Priority): Promise<void> {
    const atMs = epochMs();
    const { id, record } = this.compose(priority);
    this.sent.push({ id, priority, phase, atMs });
    const result = await this.producers[priority].produce(record, PRODUCE_MS);
    if (result.kind !== 'acked') throw new BenchFault(`A ${priority} was not written: ${result.reason}.`);
  }
}
