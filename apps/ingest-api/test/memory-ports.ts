import type { OutgoingRecord, ProduceResult } from '@commservice/kafka';
import type { MessageStore, StoredMessage } from '@commservice/postgres';
import type { Begun, IdempotencyStore } from '../src/idempotency/idempotency-store.js';
import type { RecordSender } from '../src/publish/lane-publisher.js';

/** A topic in memory. `answer` decides what happens to the next records. */
export class MemorySender implements RecordSender {
  readonly records: OutgoingRecord[] = [];
  answer: (record: OutgoingRecord) => ProduceResult | Promise<ProduceResult> = () => ({
    kind: 'acked',
    partition: 0,
  });

  async produce(record: OutgoingRecord): Promise<ProduceResult> {
    const result = await this.answer(record);
    if (result.kind === 'acked') this.records.push(record);
    return result;
  }
}

/** Idempotency keys in memory, with the same rules as Redis. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly keys = new Map<string, { hash: string; token: string; answer?: string }>();
  down = false;
  private tokens = 0;

  begin(key: string, hash: string): Promise<Begun> {
    if (this.down) return Promise.resolve({ kind: 'unavailable' });
    const known = this.keys.get(key);
    if (!known) {
      const token = String(++this.tokens);
      this.keys.set(key, { hash, token });
      return Promise.resolve({ kind: 'new', token });
    }
    if (known.hash !== hash) return Promise.resolve({ kind: 'mismatch' });
    return Promise.resolve(
      known.answer === undefined ? { kind: 'running' } : { kind: 'done', answer: known.answer },
    );
  }

  finish(key: string, token: string, answer: string): Promise<void> {
    const known = this.keys.get(key);
    if (known?.token === token) known.answer = answer;
    return Promise.resolve();
  }

  release(key: string, token: string): Promise<void> {
    if (this.keys.get(key)?.token === token) this.keys.delete(key);
    return Promise.resolve();
  }
}

/** A read model in memory. */
export class MemoryStore implements Pick<MessageStore, 'byId' | 'events' | 'search'> {
  readonly messages = new Map<string, StoredMessage>();
  down = false;

  private get<T>(value: T): Promise<T> {
    return this.down ? Promise.reject(new Error('connection refused')) : Promise.resolve(value);
  }

  byId: MessageStore['byId'] = (team, id) => {
    const found = this.messages.get(id);
    return this.get(found?.team === team ? found : undefined);
  };

  events: MessageStore['events'] = (team, id) => {
    const found = this.messages.get(id);
    return this.get(
      found?.team === team ? [{ status: found.status, at: found.statusAt, generation: 0 }] : [],
    );
  };

  search: MessageStore['search'] = ({ team, reference, cursor }) => {
    if (cursor === 'bad') return this.get({ kind: 'invalid-cursor' as const });
    const messages = [...this.messages.values()].filter((m) => m.team === team && m.reference === reference);
    return this.get({ kind: 'page' as const, messages });
  };
}
