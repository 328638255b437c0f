import { fault, refuse } from '@commservice/accept';
import { problemOf, type Problem } from '@commservice/contracts';
import { bodyHash } from '../idempotency/canonical-json.js';
import { BEGIN_DEADLINE_MS, type IdempotencyStore } from '../idempotency/idempotency-store.js';
import type { ItemOutcome } from './batch-reply.js';
import { BROKER_RETRY_MS } from './replies.js';

const refusal = (problem: Problem): ItemOutcome => ({ kind: 'refused', problem });
const mismatch = (index: number): ItemOutcome =>
  refusal(refuse([fault('/idempotencyKey', 'idempotency_mismatch')], `/messages/${index}`).problem);
const unavailable = (): ItemOutcome =>
  refusal(
    problemOf('unavailable', 503, 'Idempotency keys cannot be checked now', {
      retryAfterSeconds: BROKER_RETRY_MS / 1000,
    }),
  );
const running = (): ItemOutcome =>
  refusal(problemOf('request-in-progress', 409, 'A message with this idempotency key is being accepted'));

/**
 * Makes items with one `idempotencyKey` one message: within the batch from memory, and for 24 h over all batches of the
 * team through the store. Only an accepted item is remembered. Lives as long as its batch.
 */
export class ItemDedupe {
  private readonly seen = new Map<string, { hash: string; outcome: Promise<ItemOutcome> }>();

  constructor(
    private readonly store: IdempotencyStore,
    private readonly team: string,
  ) {}

  /** Runs `publish` unless the key has done so before. */
  once(key: string, item: unknown, index: number, publish: () => Promise<ItemOutcome>): Promise<ItemOutcome> {
    const hash = bodyHash(item);
    const earlier = this.seen.get(key);
    if (earlier)
      return earlier.hash === hash ? earlier.outcome.then(repeated) : Promise.resolve(mismatch(index));
    const outcome = this.throughStore(key, hash, index, publish);
    this.seen.set(key, { hash, outcome });
    return outcome;
  }

  private async throughStore(
    key: string,
    hash: string,
    index: number,
    publish: () => Promise<ItemOutcome>,
  ): Promise<ItemOutcome> {
    const scoped = `item\n${this.team}\n${key}`;
    const begun = await this.store.begin(scoped, hash, BEGIN_DEADLINE_MS.other);
    switch (begun.kind) {
      case 'new': {
        const outcome = await publish();
        if (outcome.kind === 'accepted') await this.store.finish(scoped, begun.token, outcome.id);
        else await this.store.release(scoped, begun.token);
        return outcome;
      }
      case 'done':
        return { kind: 'accepted', id: begun.answer, replayed: true };
      case 'running':
        return running();
      case 'mismatch':
        return mismatch(index);
      case 'unavailable':
        return unavailable();
    }
  }
}

const repeated = (outcome: ItemOutcome): ItemOutcome =>
  outcome.kind === 'accepted' ? { ...outcome, replayed: true } : outcome;
