import type { Acceptor } from '@commservice/accept';
import type { Catalogue } from '@commservice/contracts';
import { traceHeaders, type Metrics } from '@commservice/telemetry';
import { jsonReply, problemReply, retryAfter, type HttpReply } from '../http/http-problem.js';
import type { LanePublisher } from '../publish/lane-publisher.js';
import { located, type Caller } from './caller.js';
import {
  acceptedBody,
  BROKER_RETRY_MS,
  limitHeaders,
  metricCode,
  refusalHeaders,
  unpublished,
} from './replies.js';

export interface SubmitParts {
  readonly acceptor: Acceptor;
  readonly publisher: LanePublisher;
  readonly catalogue: { readonly current: Catalogue };
  readonly metrics: Metrics;
}

/** `POST /v1/messages`: 202 only after the broker's acknowledgement with all replicas in sync. */
export async function submitMessage(body: unknown, caller: Caller, parts: SubmitParts): Promise<HttpReply> {
  const { acceptor, publisher, catalogue, metrics } = parts;
  const result = acceptor.accept(body, {
    catalogue: catalogue.current,
    key: caller.key,
    trace: traceHeaders(caller.trace),
  });
  if (result.kind === 'refused') {
    metrics.ingestRefused.add(1, {
      status_class: result.status >= 500 ? '5xx' : '4xx',
      code: metricCode(result.problem),
    });
    return problemReply(located(result.problem, caller), refusalHeaders(result));
  }
  const published = await publisher.publish(result.record, result.event);
  const { channel, brand, priority, category, kind } = result.message;
  if (published.kind !== 'stored') {
    const problem = unpublished(published);
    const code = published.kind === 'unknown' ? 'ack-lost' : published.reason;
    metrics.ingestRefused.add(1, { status_class: '5xx', code, channel });
    return problemReply(located(problem, caller), {
      ...limitHeaders(result.limit),
      ...retryAfter(BROKER_RETRY_MS),
    });
  }
  metrics.ingestMessages.add(1, { channel, brand, priority, category, kind });
  const response = acceptedBody(result);
  return jsonReply(202, response, { location: response.links.self, ...limitHeaders(result.limit) });
}
