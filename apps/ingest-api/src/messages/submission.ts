import { refuse } from '@commservice/accept';
import type { Catalogue } from '@commservice/contracts';
import { batchHash, bodyHash } from '../idempotency/canonical-json.js';
import { idempotent } from '../idempotency/idempotent.js';
import type { IdempotencyStore } from '../idempotency/idempotency-store.js';
import { problemReply, type HttpReply } from '../http/http-problem.js';
import { BatchSlices } from '../publish/batch-slices.js';
import { readEnvelope } from './batch-envelope.js';
import { located, type Caller } from './caller.js';
import { ItemDedupe } from './item-dedupe.js';
import { submitBatch, type BatchParts } from './submit-batch.js';
import { submitMessage } from './submit-message.js';

type Header = string | string[] | undefined;

export type SubmissionParts = Omit<BatchParts, 'dedupe'> & { readonly idempotency: IdempotencyStore };

/** Whether a body names a category of P1; decides only what happens while the idempotency store is down. */
function isUrgent(body: unknown, catalogue: Catalogue): boolean {
  const category =
    typeof body === 'object' && body !== null ? (body as { category?: unknown }).category : undefined;
  if (typeof category !== 'string' || !Object.hasOwn(catalogue.categories, category)) return false;
  return catalogue.categories[category]?.priority === 'P1';
}

/** The writing half of the API: single messages and batches, with or without an `Idempotency-Key`. */
export class Submission {
  private readonly batchParts: BatchParts;

  constructor(private readonly parts: SubmissionParts) {
    this.batchParts = { ...parts, dedupe: (caller) => new ItemDedupe(parts.idempotency, caller.key.team) };
  }

  single(body: unknown, caller: Caller, header: Header): Promise<HttpReply> {
    const work = (): Promise<HttpReply> => submitMessage(body, caller, this.parts);
    if (header === undefined) return work();
    const urgent = isUrgent(body, this.parts.catalogue.current);
    return idempotent(this.parts.idempotency, { header, hash: () => bodyHash(body), caller, urgent }, work);
  }

  /** The envelope is judged first: a body that is no batch is not worth a hash, nor a place in the store. */
  async batch(body: unknown, caller: Caller, header: Header): Promise<HttpReply> {
    const envelope = readEnvelope(body);
    if (envelope.kind === 'faulty') return problemReply(located(refuse(envelope.faults).problem, caller));
    const { items } = envelope;
    const work = (): Promise<HttpReply> => submitBatch(items, caller, this.batchParts);
    if (header === undefined) return work();
    const slices = new BatchSlices(this.parts.turns, this.parts.monotonic);
    const hash = (): Promise<string> => batchHash(items, () => slices.pause());
    return idempotent(this.parts.idempotency, { header, hash, caller, urgent: false }, work);
  }
}
