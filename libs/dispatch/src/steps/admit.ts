import { unreachable, type KeyRing, type Message } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { LaneItem } from '../lane-item.js';
import type { LaneQueue, Waiting } from '../lane-queue.js';
import type { Settler } from '../settler.js';
import { keyDropped, prepare, type Prepared } from './prepare.js';

/** Data keys: what is in memory, and one more look for a key made elsewhere. */
export type Keys = Pick<KeyRing, 'byId'> & { load(id: string): Promise<unknown> };

export interface AdmitOptions {
  readonly queue: LaneQueue;
  readonly keys: Keys;
  readonly settler: Settler;
  readonly logger: Logger;
  /** Whether a message's remaining life is too short to send it. */
  readonly tooLate: (message: Message) => boolean;
  /** An item whose data key had to be loaded first. */
  readonly onLate: (item: LaneItem) => void;
}

/**
 * Takes records from the queue and makes items of them. What can never be sent ends here: poison as a dead letter, a
 * message whose time is over as expired. States: OPEN → HALTED at a record of a newer schema, which goes back unsettled.
 */
export class AdmitStep {
  private haltedBy: string | undefined;
  private loading = 0;

  constructor(private readonly options: AdmitOptions) {}

  /** Why nothing more is taken, in a plain sentence; undefined while something is. */
  get halted(): string | undefined {
    return this.haltedBy;
  }

  /** Up to `room` items that are due now. */
  take(room: number, nowMs: number): LaneItem[] {
    const items: LaneItem[] = [];
    const { queue, keys, settler } = this.options;
    while (items.length + this.loading < room && settler.hasRoom && !this.haltedBy) {
      const waiting = queue.take(nowMs);
      if (!waiting) break;
      const item = this.admit(prepare(waiting.record, keys, waiting.dueAt), waiting);
      if (item) items.push(item);
    }
    return items;
  }

  private admit(prepared: Prepared, waiting: Waiting): LaneItem | undefined {
    const { settler, tooLate } = this.options;
    const { record } = waiting;
    switch (prepared.kind) {
      case 'item':
        if (!tooLate(prepared.item.message)) return prepared.item;
        settler.store(prepared.item, { kind: 'expired', stage: 'queue' });
        return undefined;
      case 'poison': {
        const { failure, message } = prepared;
        settler.store(
          { record, message, generation: 0 },
          { kind: 'dead-letter', failure, attempts: 0, disposition: 'poison' },
        );
        return undefined;
      }
      case 'key-missing':
        this.load(prepared.keyId, prepared.message, waiting);
        return undefined;
      case 'unknown-schema':
        return this.halt(prepared.schema, waiting);
      default:
        return unreachable(prepared);
    }
  }

  private load(keyId: string, message: Message, waiting: Waiting): void {
    const { keys, onLate } = this.options;
    this.loading++;
    void keys.load(keyId).then((found) => {
      this.loading--;
      const again = prepare(waiting.record, keys, waiting.dueAt);
      const item = this.admit(found || again.kind !== 'key-missing' ? again : keyDropped(message), waiting);
      if (item) onLate(item);
    });
  }

  private halt(schema: string, waiting: Waiting): undefined {
    const { topic, partition, offset } = waiting.record;
    this.haltedBy = `a record of schema ${schema} waits for a newer build`;
    this.options.logger.error({ topic, partition, offset }, this.haltedBy);
    this.options.queue.putBack(waiting);
  }
}
