import { buildDeadLetter, buildRetryRecord, type LocalClaims } from '@commservice/batch-safety';
import {
  eventOf,
  eventsTopic,
  traceIdOf,
  unreachable,
  HEADER,
  RETRY_TIERS,
  type Clock,
  type EventDetail,
  type Failure,
  type Lane,
  type Message,
  type MessageEvent,
  type Outcome,
  type Priority,
} from '@commservice/contracts';
import type { FetchedRecord, OutgoingRecord, RecordProducer } from '@commservice/kafka';
import type { Logger, Metrics } from '@commservice/telemetry';

export interface OutcomeWriterOptions {
  readonly lane: Lane;
  /** The lane's consumer group, for the dead letter's context. */
  readonly group: string;
  readonly producer: Pick<RecordProducer, 'produce'>;
  /** Ends a claim: done and dead are for good, release lets others have it. */
  readonly claims: Pick<LocalClaims, 'finish' | 'release'>;
  readonly build: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The record an outcome belongs to; `message` is missing when its value could not be read. */
export interface Settled {
  readonly record: FetchedRecord;
  readonly message?: Message;
  readonly generation: number;
}

const PRODUCE_MS = 10_000;
/** How long an event may wait for company, ms: a code's status is looked at, a campaign's is counted. */
const EVENT_LINGER_MS: Record<Priority, number> = { P1: 0, P2: 20, P3: 200 };

/**
 * Stores what became of a record outside the process, in an order in which a crash between any two steps only repeats what
 * is recognised: dead letter or retry record acked → event acked → claim ended → (caller) settled. A produce that is not
 * acknowledged is repeated until it is, or until the signal: then the record stays uncommitted and comes again.
 */
export class OutcomeWriter {
  constructor(private readonly options: OutcomeWriterOptions) {}

  /** Resolves true when everything is stored: the record may be settled. Never rejects. */
  async write(settled: Settled, outcome: Outcome, signal: AbortSignal): Promise<boolean> {
    const { claims, metrics, lane } = this.options;
    const { message, generation } = settled;
    metrics.outcomes.add(1, { ...lane, outcome: outcome.kind });
    if (outcome.kind === 'sent' && message) claims.finish(message.id, 'done', generation);
    const moved = this.recordOf(settled, outcome);
    if (moved && !(await this.untilAcked(moved, signal))) return false;
    const event = message ? this.eventFor(settled, message, outcome) : undefined;
    if (event && !(await this.publish(event, signal))) return false;
    if (message) this.endClaim(message.id, generation, outcome);
    return true;
  }

  /** One event, repeated until it is acknowledged. */
  publish(event: MessageEvent, signal: AbortSignal): Promise<boolean> {
    return this.untilAcked(eventRecord(event), signal, EVENT_LINGER_MS[event.priority]);
  }

  private recordOf(settled: Settled, outcome: Outcome): OutgoingRecord | undefined {
    const { lane, group, build, clock, metrics } = this.options;
    if (settled.message?.kind === 'heartbeat') return undefined;
    if (outcome.kind === 'retry') {
      metrics.retries.add(1, { ...lane, tier: outcome.tier });
      return retryRecord(settled.record, lane, outcome.tier, outcome.attempts);
    }
    if (outcome.kind !== 'dead-letter') return undefined;
    const { failure, attempts, disposition, account } = outcome;
    metrics.dlqMessages.add(1, { ...lane, stage: failure.stage, class: failure.class, reason: failure.code });
    const brand = settled.message?.brand;
    return buildDeadLetter({
      record: settled.record,
      lane,
      group,
      failure,
      attempts,
      disposition,
      account,
      brand,
      build,
      nowEpochMs: clock.now(),
    });
  }

  private eventFor({ record, generation }: Settled, message: Message, outcome: Outcome): MessageEvent {
    const traceId = traceIdOf(record.headers[HEADER.traceparent]);
    const base = { at: Math.round(this.options.clock.now()), generation, traceId };
    return eventOf(message, { ...base, ...detailOf(outcome) });
  }

  private endClaim(id: string, generation: number, outcome: Outcome): void {
    const { claims } = this.options;
    switch (outcome.kind) {
      case 'sent':
      case 'duplicate':
        return;
      case 'unconfirmed':
      case 'expired':
        return claims.finish(id, 'done', generation);
      case 'retry':
        return claims.release(id);
      case 'dead-letter':
        return claims.finish(id, 'dead', generation);
      default:
        return unreachable(outcome);
    }
  }

  private async untilAcked(record: OutgoingRecord, signal: AbortSignal, lingerMs = 0): Promise<boolean> {
    for (let tries = 1; !signal.aborted; tries++) {
      const result = await this.options.producer.produce(record, PRODUCE_MS, lingerMs);
      if (result.kind === 'acked') return true;
      if (tries === 1)
        this.options.logger.warn(
          { topic: record.topic, reason: result.reason },
          'Kafka does not take an outcome; it is repeated',
        );
      await pause(200, signal);
    }
    return false;
  }
}

function retryRecord(record: FetchedRecord, lane: Lane, tierName: string, attempts: number): OutgoingRecord {
  const tier = RETRY_TIERS[lane.priority].find((t) => t.name === tierName);
  if (!tier) throw new Error(`class ${lane.priority} has no retry tier ${tierName}`);
  return buildRetryRecord(
    { ...record, key: record.key ?? Buffer.from(record.headers[HEADER.id] ?? '') },
    lane,
    tier,
    attempts,
  );
}

const eventRecord = (event: MessageEvent): OutgoingRecord => ({
  topic: eventsTopic(event.priority),
  key: event.id,
  value: JSON.stringify(event),
});

function failed(failure: Failure): Pick<EventDetail, 'code' | 'reason'> {
  return { code: failure.code, reason: failure.detail };
}

/** What an outcome says in the message's status. */
function detailOf(outcome: Outcome): Omit<EventDetail, 'at' | 'generation'> {
  switch (outcome.kind) {
    case 'sent':
      return {
        status: 'sent',
        account: outcome.account,
        providerId: outcome.providerId,
        receiptExpected: outcome.receiptExpected,
      };
    case 'duplicate':
      return { status: 'sent', code: 'already_sent', reason: 'recognised as sent before; not sent again' };
    case 'retry':
      return {
        status: 'queued',
        attempt: outcome.attempts,
        account: outcome.account,
        ...failed(outcome.failure),
      };
    case 'dead-letter':
      return {
        status: 'failed',
        attempt: outcome.attempts,
        account: outcome.account,
        ...failed(outcome.failure),
      };
    case 'expired':
      return { status: 'expired', code: 'expired', reason: 'its time was over before it could be sent' };
    case 'unconfirmed':
      return {
        status: 'unconfirmed',
        account: outcome.account,
        code: outcome.code,
        reason: 'the provider gave no answer; it is not sent again',
      };
    default:
      return unreachable(outcome);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
