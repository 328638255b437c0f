/** What a store says when work under a key is to begin. */
export type Begun =
  /** Nobody did it yet: the caller holds the key until `finish` or `release`. */
  | { readonly kind: 'new'; readonly token: string }
  | { readonly kind: 'running' }
  /** It was done with another body. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'done'; readonly answer: string }
  /** The store did not answer. */
  | { readonly kind: 'unavailable' };

/** Remembers for 24 h what was answered under an idempotency key. No method rejects. */
export interface IdempotencyStore {
  /**
   * @param key scoped by team and route
   * @param hash of the canonical body
   * @param deadlineMs longest wait
   */
  begin(key: string, hash: string, deadlineMs: number): Promise<Begun>;
  /** Keeps the answer; does nothing when the key is no longer held by `token`. */
  finish(key: string, token: string, answer: string): Promise<void>;
  /** Lets the key go, as if nothing had been tried. */
  release(key: string, token: string): Promise<void>;
}

/** Longest wait for the store: what a one-time code may lose, and what others may. */
export const BEGIN_DEADLINE_MS = { urgent: 50, other: 1000 } as const;
