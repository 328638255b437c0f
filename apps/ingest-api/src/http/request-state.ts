import type { CatalogueKey } from '@commservice/contracts';
import type { TraceContext } from '@commservice/telemetry';

/** What the first hook learns about a request and the rest of its life reads. */
export interface RequestState {
  /** The client's trace, continued, or a new one. */
  readonly trace: TraceContext;
  /** Set on every route below /v1: without a key a request gets no further. */
  readonly key?: CatalogueKey;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent only where a request failed before any hook ran. */
    state?: RequestState;
  }
}

/** Path of a request without its query, which may carry references. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';
