import { faultsOf, refuse } from '@commservice/accept';
import {
  problemOf,
  searchQuerySchema,
  type MessageEventResponse,
  type MessageIds,
  type MessageStatusResponse,
} from '@commservice/contracts';
import type { MessageStore, StoredMessage } from '@commservice/postgres';
import type { Logger } from '@commservice/telemetry';
import { jsonReply, problemReply, retryAfter, type HttpReply } from '../http/http-problem.js';
import { located, type Caller } from './caller.js';
import { linksOf } from './replies.js';

export interface ReaderParts {
  readonly store: Pick<MessageStore, 'byId' | 'events' | 'search'>;
  readonly ids: MessageIds;
  readonly logger: Logger;
}

const time = (epochMs: number | undefined): string | undefined =>
  epochMs === undefined ? undefined : new Date(epochMs).toISOString();

/** A stored message as the API shows it. */
function statusBody(m: StoredMessage): MessageStatusResponse {
  const { id, status, reference, channel, brand, category, priority, units, campaign, metadata, traceId } = m;
  const { generation, attempt, account, providerId, code, reason } = m;
  return {
    id,
    status,
    ...{
      reference,
      channel,
      brand,
      category,
      priority,
      units,
      campaign,
      metadata: metadata && { ...metadata },
      traceId,
    },
    ...{ generation, attempt, account, providerId, code, reason },
    acceptedAt: time(m.acceptedAt),
    updatedAt: time(m.statusAt),
    expiresAt: time(m.expiresAt),
    links: linksOf(id),
  };
}

/**
 * The reading half of the API, from the read model. A message of this team that is not projected yet is known by the MAC
 * in its id, so a GET right after a 202 answers 200; ids we never made are 404 without a query.
 */
export class MessageReader {
  constructor(private readonly parts: ReaderParts) {}

  /** `GET /v1/messages/{id}` */
  byId(id: string, caller: Caller): Promise<HttpReply> {
    return this.ofOurs(id, caller, async (acceptedAt) => {
      const stored = await this.parts.store.byId(caller.key.team, id);
      const body = stored
        ? statusBody(stored)
        : { id, status: 'accepted', acceptedAt: time(acceptedAt), links: linksOf(id) };
      return jsonReply(200, body);
    });
  }

  /** `GET /v1/messages/{id}/events` */
  events(id: string, caller: Caller): Promise<HttpReply> {
    return this.ofOurs(id, caller, async (acceptedAt) => {
      const stored = await this.parts.store.events(caller.key.team, id);
      const events: MessageEventResponse[] = stored.map((e) => ({ ...e, at: new Date(e.at).toISOString() }));
      if (events.length === 0)
        events.push({ status: 'accepted', at: new Date(acceptedAt).toISOString(), generation: 0 });
      return jsonReply(200, { id, events });
    });
  }

  /** `GET /v1/messages?reference=&traceId=&status=&cursor=&limit=` */
  async search(query: unknown, caller: Caller): Promise<HttpReply> {
    const parsed = searchQuerySchema.safeParse(query);
    if (!parsed.success)
      return problemReply(located(refuse(faultsOf(parsed.error.issues, query)).problem, caller));
    return this.fromStore(caller, async () => {
      const result = await this.parts.store.search({ ...parsed.data, team: caller.key.team });
      if (result.kind === 'invalid-cursor') {
        const errors = [
          {
            pointer: '/cursor',
            code: 'invalid_format',
            detail: 'The cursor is not one that a search returned',
          },
        ];
        return problemReply(located(refuse(errors).problem, caller));
      }
      return jsonReply(200, { messages: result.messages.map(statusBody), nextCursor: result.nextCursor });
    });
  }

  private ofOurs(
    id: string,
    caller: Caller,
    read: (acceptedAt: number) => Promise<HttpReply>,
  ): Promise<HttpReply> {
    const acceptedAt = this.parts.ids.verify(id, caller.key.team);
    if (acceptedAt !== undefined) return this.fromStore(caller, () => read(acceptedAt));
    const problem = problemOf('not-found', 404, 'Your team has no message with this id');
    return Promise.resolve(problemReply(located(problem, caller)));
  }

  private async fromStore(caller: Caller, read: () => Promise<HttpReply>): Promise<HttpReply> {
    try {
      return await read();
    } catch (err) {
      this.parts.logger.warn({ err, traceId: caller.trace.traceId }, 'The read model did not answer');
      const problem = problemOf('unavailable', 503, 'The status cannot be read now; sending is not affected');
      return problemReply(located(problem, caller), retryAfter(2000));
    }
  }
}
