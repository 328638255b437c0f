import { eventsTopic, type Clock, type MessageEvent, type Priority } from '@commservice/contracts';
import type { OutgoingRecord, ProduceResult } from '@commservice/kafka';
import type { LaneRecord } from '@commservice/accept';
import type { Metrics } from '@commservice/telemetry';

/** Where records go: a producer with a connection of its own. */
export interface RecordSender {
  produce(record: OutgoingRecord, deadlineMs: number, lingerMs?: number): Promise<ProduceResult>;
}

export interface LanePublisherOptions {
  /** One producer a class: a P1 record never queues behind a P3 one. */
  readonly lanes: Readonly<Record<Priority, RecordSender>>;
  /** Events of every class. */
  readonly events: RecordSender;
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Longest wait for the broker's acknowledgement, ms. Default 5000. */
  readonly deadlineMs?: number;
  /** Most records of one class that wait for an acknowledgement; above it the answer is `overloaded` at once. Default 10 000. */
  readonly maxInFlight?: number;
  /** Most `accepted` events that wait; above it they are left out, since later events carry all their fields. Default 10 000. */
  readonly maxEvents?: number;
}

export type Published =
  | { readonly kind: 'stored' }
  /** Certainly not on the topic. */
  | { readonly kind: 'refused'; readonly reason: 'overloaded' | 'broker-unavailable' }
  /** The acknowledgement was lost: it may be on the topic. Counted. */
  | { readonly kind: 'unknown' };

/** How long an `accepted` event may wait for company, ms. */
const EVENT_LINGER_MS: Record<Priority, number> = { P1: 0, P2: 20, P3: 200 };

const RESULT = { acked: 'acked', 'not-stored': 'refused', unknown: 'unknown' } as const;

/**
 * Puts accepted messages on their lanes and then writes their `accepted` event. `publish` resolves after the broker's
 * acknowledgement and never rejects; the event is not awaited. Bounded by count here and by bytes in each producer, so
 * memory stays flat while the broker is gone. Called by requests and heartbeats.
 */
export class LanePublisher {
  private readonly inFlight: Record<Priority, number> = { P1: 0, P2: 0, P3: 0 };
  private events = 0;
  private lastP1Ms = -Infinity;
  private readonly deadlineMs: number;
  private readonly maxInFlight: number;
  private readonly maxEvents: number;

  constructor(private readonly options: LanePublisherOptions) {
    this.deadlineMs = options.deadlineMs ?? 5000;
    this.maxInFlight = options.maxInFlight ?? 10_000;
    this.maxEvents = options.maxEvents ?? 10_000;
  }

  /** Whether a P1 message was published within the last `withinMs`. */
  p1Within(withinMs: number): boolean {
    return this.options.clock.monotonic() - this.lastP1Ms < withinMs;
  }

  async publish(record: LaneRecord, event: MessageEvent): Promise<Published> {
    const { priority } = event;
    if (this.inFlight[priority] >= this.maxInFlight) return { kind: 'refused', reason: 'overloaded' };
    this.inFlight[priority] += 1;
    const startedMs = this.options.clock.monotonic();
    if (priority === 'P1') this.lastP1Ms = startedMs;
    const result = await this.options.lanes[priority].produce(record, this.deadlineMs);
    this.inFlight[priority] -= 1;
    this.count('lane', priority, result, startedMs);
    switch (result.kind) {
      case 'acked':
        void this.writeEvent(event);
        return { kind: 'stored' };
      case 'not-stored':
        return { kind: 'refused', reason: 'broker-unavailable' };
      case 'unknown':
        return { kind: 'unknown' };
    }
  }

  private async writeEvent(event: MessageEvent): Promise<void> {
    if (this.events >= this.maxEvents) return;
    this.events += 1;
    const startedMs = this.options.clock.monotonic();
    const record = { topic: eventsTopic(event.priority), key: event.id, value: JSON.stringify(event) };
    const result = await this.options.events.produce(
      record,
      this.deadlineMs,
      EVENT_LINGER_MS[event.priority],
    );
    this.events -= 1;
    this.count('event', event.priority, result, startedMs);
  }

  private count(kind: 'lane' | 'event', priority: Priority, result: ProduceResult, startedMs: number): void {
    const { metrics, clock } = this.options;
    metrics.produceRecords.add(1, { topic_kind: kind, priority, result: RESULT[result.kind] });
    if (result.kind !== 'acked') return;
    metrics.produceDuration.record((clock.monotonic() - startedMs) / 1000, { topic_kind: kind, priority });
  }
}
