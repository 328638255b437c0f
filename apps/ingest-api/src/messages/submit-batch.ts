import type { Problem } from '@commservice/contracts';
import { traceHeaders } from '@commservice/telemetry';
import type { HttpReply } from '../http/http-problem.js';
import { BatchSlices } from '../publish/batch-slices.js';
import type { BatchTurns } from '../publish/batch-turns.js';
import type { ItemDedupe } from './item-dedupe.js';
import { batchReply, type ItemOutcome } from './batch-reply.js';
import type { Caller } from './caller.js';
import { metricCode, unpublished, type Accepted } from './replies.js';
import type { SubmitParts } from './submit-message.js';

export interface BatchParts extends SubmitParts {
  readonly turns: BatchTurns;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** A new memory of the keys of one batch. */
  readonly dedupe: (caller: Caller) => ItemDedupe;
}

/** `POST /v1/messages/batch`: each item succeeds or fails on its own. Yields to other requests between slices. */
export async function submitBatch(
  items: readonly unknown[],
  caller: Caller,
  parts: BatchParts,
): Promise<HttpReply> {
  const submit = submitItem(caller, parts, parts.dedupe(caller), items.length);
  const slices = new BatchSlices(parts.turns, parts.monotonic);
  const outcomes: Promise<ItemOutcome>[] = [];
  for (const [index, item] of items.entries()) {
    await slices.pause();
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
