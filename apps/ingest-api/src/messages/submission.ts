import type { Catalogue } from '@commservice/contracts';
import { idempotent } from '../idempotency/idempotent.js';
import type { IdempotencyStore } from '../idempotency/idempotency-store.js';
import type { HttpReply } from '../http/http-problem.js';
import type { Caller } from './caller.js';
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
    return idempotent(this.parts.idempotency, { header, body, caller, urgent }, work);
  }

  batch(body: unknown, caller: Caller, header: Header): Promise<HttpReply> {
    const work = (): Promise<HttpReply> => submitBatch(body, caller, this.batchParts);
    if (header === undefined) return work();
    return idempotent(this.parts.idempotency, { header, body, caller, urgent: false }, work);
  }
}
