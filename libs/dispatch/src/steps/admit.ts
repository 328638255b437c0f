import {
  HEADER,
  redriveGeneration,
  unreachable,
  type Clock,
  type KeyLookup,
  type KeyRing,
  type Message,
} from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { LaneItem } from '../lane-item.js';
import type { LaneQueue, Waiting } from '../lane-queue.js';
import type { SkippingStage } from '../limits/skipping-stage.js';
import type { Settler } from '../settler.js';
import { keyDropped, prepare, type Prepared } from './prepare.js';

/** Data keys: what is in memory, and one more look for a key made elsewhere. */
export type Keys = Pick<KeyRing, 'byId'> & { load(id: string): Promise<KeyLookup> };

export interface AdmitOptions {
  readonly queue: LaneQueue;
  readonly keys: Keys;
  readonly settler: Settler;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Skips over what a narrow limit holds. */
  readonly skipping: SkippingStage;
  /** An item whose data key had to be loaded first. */
  readonly onLate: (item: LaneItem) => void;
  /** There is more to look at. */
  readonly onMore: () => void;
}

/** How long a record waits before its data key is asked for again, ms. */
const KEY_AGAIN_MS = 500;
/** Records put aside in one turn; each was decoded and opened. */
const SKIPS_AT_ONCE = 100;

/**
 * Takes records from the queue and makes items of them. What can never be sent ends here, as a dead letter. A record whose
 * data key cannot be read now waits until it can, or until its time is over. States: OPEN → HALTED at a record of a newer schema, which goes back unsettled.
 */
export class AdmitStep {
  private haltedBy: string | undefined;
  private loading = 0;
  /** Raised when the generation changes: what is being loaded belongs to the one before. */
  private epoch = 0;

  constructor(private readonly options: AdmitOptions) {}

  /** Why nothing more is taken, in a plain sentence; undefined while something is. */
  get halted(): string | undefined {
    return this.haltedBy;
  }

  /** The generation changed: forget what is being loaded, and what is aside. */
  forget(): void {
    this.options.skipping.clear();
    this.epoch++;
    this.loading = 0;
  }

  /** Up to `room` items that are due now. */
  take(room: number, nowMs: number): LaneItem[] {
    const { queue, keys, settler, skipping } = this.options;
    const items = skipping.due(room - this.loading, nowMs);
    let looks = room + SKIPS_AT_ONCE;
    while (items.length + this.loading < room && settler.hasRoom && !this.haltedBy && !skipping.isFull) {
      // the rest of a long skip comes after others had a turn
      if (looks-- === 0) return this.goOn(items);
      const waiting = queue.take(nowMs);
      if (!waiting) break;
      const item = this.admit(prepare(waiting.record, keys, waiting.dueAt), waiting);
      if (item && skipping.offer(item)) items.push(item);
    }
    return items;
  }

  /** Records that are due and may be taken. */
  dueDepth(nowMs: number): number {
    return this.options.skipping.isFull ? 0 : this.options.queue.dueDepth(nowMs);
  }

  /** When to take again at the latest although nothing arrives, monotonic ms. */
  nextDueAt(nowMs: number): number | undefined {
    const { queue, skipping } = this.options;
    // what could go now and did not finds no room: the lane looks again when there is
    const ats = [queue.nextDueAt(), skipping.nextOpenAtMs, skipping.nextExpiryAtMs];
    const later = ats.filter((at) => at !== undefined && at > nowMs);
    return later.length > 0 ? Math.min(...(later as number[])) : undefined;
  }

  /** Whether an item about to be sent is put aside again, for a narrow limit. */
  skips(item: LaneItem): boolean {
    return this.options.skipping.skips(item);
  }

  private goOn(items: LaneItem[]): LaneItem[] {
    setImmediate(this.options.onMore);
    return items;
  }

  private admit(prepared: Prepared, waiting: Waiting): LaneItem | undefined {
    const { settler } = this.options;
    const { record } = waiting;
    switch (prepared.kind) {
      case 'item':
        return prepared.item;
      case 'poison': {
        const { failure, message } = prepared;
        const generation = redriveGeneration(record.headers[HEADER.redrive]);
        settler.store(
          { record, message, generation },
          { kind: 'dead-letter', failure, attempts: 0, disposition: 'poison' },
        );
        return undefined;
      }
      case 'key-missing':
        this.loading++;
        void this.load(prepared.keyId, prepared.message, waiting, this.epoch);
        return undefined;
      case 'unknown-schema':
        return this.halt(prepared.schema, waiting);
      default:
        return unreachable(prepared);
    }
  }

  private async load(keyId: string, message: Message, waiting: Waiting, epoch: number): Promise<void> {
    const { keys, clock, settler, skipping, onLate } = this.options;
    let found = await keys.load(keyId);
    while (found.kind === 'no-answer' && epoch === this.epoch && clock.now() < message.expiresAt) {
      await new Promise((resolve) => setTimeout(resolve, KEY_AGAIN_MS).unref());
      found = await keys.load(keyId);
    }
    if (epoch !== this.epoch) return;
    this.loading--;
    if (found.kind === 'no-answer') {
      const generation = redriveGeneration(waiting.record.headers[HEADER.redrive]);
      return settler.store(
        { record: waiting.record, message, generation },
        { kind: 'expired', stage: 'queue' },
      );
    }
    const again = prepare(waiting.record, keys, waiting.dueAt);
    const item = this.admit(again.kind === 'key-missing' ? keyDropped(message) : again, waiting);
    if (item && skipping.offer(item)) onLate(item);
  }

  private halt(schema: string, waiting: Waiting): undefined {
    const { topic, partition, offset } = waiting.record;
    this.haltedBy = `a record of schema ${schema} waits for a newer build`;
    this.options.logger.error({ topic, partition, offset }, this.haltedBy);
    this.options.queue.putBack(waiting);
  }
}
