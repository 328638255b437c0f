import { quantiles, type Quantiles } from '@commservice/testkit';
import type { SeenCall } from './sandbox-feed.js';

/** Ids whose first call was seen before their 202 are kept this many at most. */
const MAX_EARLY = 50_000;

/** One class in one phase: what was accepted, what reached the provider, and how long that took. */
export class ClassFigures {
  accepted = 0;
  sent = 0;
  private readonly waiting = new Map<string, number>();
  private readonly early = new Map<string, number>();
  private readonly latenciesMs: number[] = [];

  /** A message was accepted; `atMs` is when it was, epoch ms. */
  took(id: string, atMs: number): void {
    this.accepted++;
    const calledAt = this.early.get(id);
    if (calledAt === undefined) return void this.waiting.set(id, atMs);
    this.early.delete(id);
    this.latenciesMs.push(Math.max(0, calledAt - atMs));
  }

  /** The provider saw a call. One whose 202 is still on its way is kept for it. */
  saw(call: SeenCall): void {
    if (call.outcome !== 'accepted') return;
    this.sent++;
    const acceptedAt = this.waiting.get(call.id);
    if (acceptedAt === undefined) {
      if (this.early.size < MAX_EARLY) this.early.set(call.id, call.atMs);
      return;
    }
    this.waiting.delete(call.id);
    this.latenciesMs.push(Math.max(0, call.atMs - acceptedAt));
  }

  /** Whether the message was accepted in this phase and waits. */
  awaits(id: string): boolean {
    return this.waiting.has(id);
  }

  get backlog(): number {
    return this.waiting.size;
  }

  /** Accepted → start of the provider call, ms. */
  get latency(): Quantiles {
    return quantiles(this.latenciesMs);
  }
}
