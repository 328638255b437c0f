import { refuse } from '@commservice/accept';
import type { Problem } from '@commservice/contracts';
import { traceHeaders } from '@commservice/telemetry';
import { problemReply, type HttpReply } from '../http/http-problem.js';
import type { BatchTurns } from '../publish/batch-turns.js';
import { readEnvelope } from './batch-envelope.js';
import type { ItemDedupe } from './item-dedupe.js';
import { batchReply, type ItemOutcome } from './batch-reply.js';
import { located, type Caller } from './caller.js';
import { metricCode, unpublished, type Accepted } from './replies.js';
import type { SubmitParts } from './submit-message.js';

/** Work on items between two turns of the event loop, ms. */
const SLICE_MS = 2;

export interface BatchParts extends SubmitParts {
  readonly turns: BatchTurns;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** A new memory of the keys of one batch. */
  readonly dedupe: (caller: Caller) => ItemDedupe;
}

/** `POST /v1/messages/batch`: each item succeeds or fails on its own. Yields to other requests between slices. */
export async function submitBatch(body: unknown, caller: Caller, parts: BatchParts): Promise<HttpReply> {
  const envelope = readEnvelope(body);
  if (envelope.kind === 'faulty') {
    const { problem } = refuse(envelope.faults);
    return problemReply(located(problem, caller));
  }
  const dedupe = parts.dedupe(caller);
  const submit = submitItem(caller, parts, dedupe, envelope.items.length);
  const outcomes: Promise<ItemOutcome>[] = [];
  await parts.turns.next();
  let sliceEndsMs = parts.monotonic() + SLICE_MS;
  for (const [index, item] of envelope.items.entries()) {
    if (parts.monotonic() >= sliceEndsMs) {
      await parts.turns.next();
      sliceEndsMs = parts.monotonic() + SLICE_MS;
    }
    outcomes.push(submit(item, index));
  }
  return batchReply(await Promise.all(outcomes), caller);
}

/** How one item is submitted; everything up to the first wait runs inside the caller's slice. */
function submitItem(caller: Caller, parts: BatchParts, dedupe: ItemDedupe, batchSize: number) {
  const context = {
    catalogue: parts.catalogue.current,
    key: caller.key,
    trace: traceHeaders(caller.trace),
    batchSize,
  };
  return (item: unknown, index: number): Promise<ItemOutcome> => {
    const result = parts.acceptor.accept(item, { ...context, pointerPrefix: `/messages/${index}` });
    if (result.kind === 'refused') return Promise.resolve(refused(result.problem, parts));
    const idempotencyKey = result.message.idempotencyKey;
    if (idempotencyKey === undefined) return publishItem(result, parts);
    return dedupe.once(idempotencyKey, item, index, () => publishItem(result, parts));
  };
}

function refused(problem: Problem, { metrics }: BatchParts, channel?: string): ItemOutcome {
  metrics.ingestRefused.add(1, {
    status_class: problem.status >= 500 ? '5xx' : '4xx',
    code: metricCode(problem),
    channel,
  });
  return { kind: 'refused', problem };
}

async function publishItem(accepted: Accepted, parts: BatchParts): Promise<ItemOutcome> {
  const published = await parts.publisher.publish(accepted.record, accepted.event);
  const { id, channel, brand, priority, category, kind } = accepted.message;
  if (published.kind !== 'stored') return refused(unpublished(published), parts, channel);
  parts.metrics.ingestMessages.add(1, { channel, brand, priority, category, kind });
  return { kind: 'accepted', id };
}
