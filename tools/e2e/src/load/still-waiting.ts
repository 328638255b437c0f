import type { Call } from '../client/sandbox.js';

/**
 * How many of some messages the provider has not accepted yet; each call and each id is looked at once, as a proof sees
 * hundreds of thousands. Caller: a backlog.
 */
export class StillWaiting {
  private readonly waiting = new Set<string>();
  /** Accepted by the provider before the id was added: an answer of the API may come later than the call. */
  private readonly early = new Set<string>();
  private seen: number;

  /** @param calls the provider's log, which only grows; what is in it already concerns none of the messages */
  constructor(private readonly calls: readonly Pick<Call, 'id' | 'outcome'>[]) {
    this.seen = calls.length;
  }

  add(id: string): void {
    if (!this.early.delete(id)) this.waiting.add(id);
  }

  get count(): number {
    for (; this.seen < this.calls.length; this.seen++) {
      const { id, outcome } = this.calls[this.seen] as Call;
      if (outcome === 'accepted' && !this.waiting.delete(id)) this.early.add(id);
    }
    return this.waiting.size;
  }
}
