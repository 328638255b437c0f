import { readDeadLetter, restoreOriginal } from '@commservice/batch-safety';
import {
  HEADER,
  decodeMessage,
  eventOf,
  eventsTopic,
  traceIdOf,
  unreachable,
  type Clock,
  type Message,
} from '@commservice/contracts';
import type { FetchedRecord, ReadResult, RecordProducer, RecordReader } from '@commservice/kafka';
import type { DeadLetterState, ItemResult, RedriveItem, SkipReason } from '@commservice/postgres';
import type { Logger } from '@commservice/telemetry';
import type { Pace } from './pace.js';

export interface ReplayOptions {
  readonly reader: Pick<RecordReader, 'read'>;
  readonly producer: Pick<RecordProducer, 'produce'>;
  readonly readDeadlineMs: number;
  readonly produceDeadlineMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `later`: not possible now; the item stays pending and is taken again. */
export type ReplayResult = ItemResult | { readonly kind: 'later' };

type Original =
  | {
      kind: 'original';
      record: Parameters<RecordProducer['produce']>[0];
      message: Message | undefined;
      traceId?: string;
    }
  | { kind: 'skip'; reason: SkipReason };

/** Why a dead letter that this job could not claim is skipped. */
function reasonOf(state: DeadLetterState): SkipReason {
  switch (state) {
    case 'expired':
    case 'gone':
    case 'unreadable':
      return state;
    case 'dead':
    case 'parked':
    case 'redriving':
    case 'redriven':
      return 'already_redriven';
    default:
      return unreachable(state);
  }
}

/** Replays one dead letter: reads it, restores the original record, waits for its turn, produces it, says so in an event. */
export class Replay {
  constructor(private readonly options: ReplayOptions) {}

  async item(jobId: string, item: RedriveItem, pace: Pace, signal: AbortSignal): Promise<ReplayResult> {
    const { deadLetter: letter, position, claimed } = item;
    const skip = (reason: SkipReason): ReplayResult => ({
      ...{ kind: 'skipped', position, deadLetterId: letter.id, reason },
    });
    if (!claimed) return skip(reasonOf(letter.state));
    if (this.expired(letter.expiresAt)) return skip('expired');
    const { reader, readDeadlineMs } = this.options;
    const read = await reader.read(letter.topic, letter.partition, letter.recordOffset, readDeadlineMs);
    if (read.kind === 'timeout') return { kind: 'later' };
    const original = this.original(read, jobId, item);
    if (original.kind === 'skip') return skip(original.reason);
    if (!(await pace.turn(signal))) return { kind: 'later' };
    // Checked again: the turn may have been long in coming.
    if (this.expired(original.message?.expiresAt ?? letter.expiresAt)) return skip('expired');
    const result = await this.options.producer.produce(original.record, this.options.produceDeadlineMs);
    if (result.kind !== 'acked') return this.notAcked(letter.id, result.reason);
    if (original.message) await this.announce(original.message, letter.generation + 1, original.traceId);
    return { kind: 'produced', position, deadLetterId: letter.id };
  }

  private original(
    read: Exclude<ReadResult, { kind: 'timeout' }>,
    jobId: string,
    item: RedriveItem,
  ): Original {
    const { id, generation } = item.deadLetter;
    if (read.kind === 'gone' || !isStill(id, read.record)) return { kind: 'skip', reason: 'gone' };
    const restored = restoreOriginal(read.record, { generation: generation + 1, jobId });
    if (restored.kind === 'unreadable') return { kind: 'skip', reason: 'unreadable' };
    const { headers } = restored.record;
    const decoded = decodeMessage(restored.record.value, headers[HEADER.schema]);
    const message = decoded.kind === 'message' ? decoded.message : undefined;
    const traceId = traceIdOf(headers[HEADER.traceparent]);
    return { kind: 'original', record: restored.record, message, ...(traceId ? { traceId } : {}) };
  }

  /** The acknowledgement may be lost: the item is produced again, and what is there twice is sent once (claims). */
  private notAcked(deadLetterId: string, reason: string): ReplayResult {
    this.options.logger.warn({ deadLetterId, reason }, 'a dead letter could not be replayed; trying again');
    return { kind: 'later' };
  }

  /** The status leaves `failed`. Should this be lost, the dispatcher's next event moves it all the same. */
  private async announce(message: Message, generation: number, traceId: string | undefined): Promise<void> {
    const { clock, producer, produceDeadlineMs, logger } = this.options;
    const event = eventOf(message, {
      status: 'queued',
      at: clock.now(),
      generation,
      ...(traceId ? { traceId } : {}),
    });
    const topic = eventsTopic(message.priority);
    const result = await producer.produce(
      { topic, key: message.id, value: JSON.stringify(event) },
      produceDeadlineMs,
    );
    if (result.kind !== 'acked')
      logger.warn({ id: message.id, reason: result.reason }, 'the event of a replay was not stored');
  }

  private expired(expiresAt: number | undefined): boolean {
    return expiresAt !== undefined && expiresAt <= this.options.clock.now();
  }
}

/** Whether the record at that place is still the one that was indexed: a topic that was made anew counts from 0 again. */
function isStill(id: string, record: FetchedRecord): boolean {
  const read = readDeadLetter(record);
  return read.kind === 'dead-letter' && read.deadLetter.id === id;
}
