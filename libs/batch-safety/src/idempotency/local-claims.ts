import type { Clock } from '@commservice/contracts';
import type { ClaimAnswer, ClaimEnd, ClaimRequest, ClaimStore } from './claim.js';
import { RecentIds } from './recent-ids.js';

export interface LocalClaimsOptions {
  readonly store: ClaimStore;
  /** Unique for each process start. */
  readonly owner: string;
  /** How long a reservation made now holds, in ms: longer than the slowest call plus what delays its settlement. */
  readonly reserveMs: () => number;
  readonly clock: Clock;
  /** Most ids remembered as in the air, and as settled. Default 100 000 each; the oldest are forgotten. */
  readonly maxIds?: number;
  /** What a copy of an item in the air waits before it asks again, in ms. Default 100. */
  readonly recheckMs?: number;
  /** How long claims made in memory gather before the store is told, in ms. Default 25. */
  readonly announceEveryMs?: number;
}

/** Claims of one script call: it must not hold Redis up for longer than a millisecond or two. */
const ANNOUNCE_CHUNK = 500;

/** One item the store is being asked about; `lapsedAt` = deadline of an earlier hold here that was never settled. */
interface Asked {
  readonly index: number;
  readonly request: ClaimRequest;
  readonly lapsedAt: number | undefined;
}

/**
 * The claims of one pod: what dispatchers use. It remembers which ids are in the air and which were settled here, so that
 * a second copy in the same pod is seen without the store, whatever the state of Redis.
 * An id here: unknown → IN THE AIR (claimed, until settled or its reservation ends) → SETTLED (done | dead) | unknown.
 * Invariants: of one id at most one copy holds a `new` or `takeover` at a time in this pod; `claimInMemory` is
 * synchronous and never waits; every `new` or `takeover` must be followed by `finish` or `release`.
 */
export class LocalClaims {
  private readonly inAir: RecentIds<number>;
  private readonly settled: RecentIds<{ end: ClaimEnd; generation: number }>;
  private readonly announcing = new Map<string, ClaimRequest>();
  private timer: NodeJS.Timeout | undefined;
  private conflicts = 0;

  constructor(private readonly options: LocalClaimsOptions) {
    const max = options.maxIds ?? 100_000;
    this.inAir = new RecentIds(max);
    this.settled = new RecentIds(max);
  }

  /** Ids held and remembered; `conflicts` = claims made in memory that the store knew otherwise. */
  counts(): { inAir: number; settled: number; conflicts: number } {
    return { inAir: this.inAir.size, settled: this.settled.size, conflicts: this.conflicts };
  }

  /**
   * Claims without asking: fresh P1 records (no other pod can have had them), a claim the store left `unknown` where the
   * rules say to send, and P2/P3 without Redis on partitions owned since before. Never `unknown`. The store is told later.
   */
  claimInMemory(request: ClaimRequest): ClaimAnswer {
    const known = this.known(request);
    if (known?.kind === 'done' || known?.kind === 'busy') return known;
    this.hold(request.id);
    this.announce(request);
    return known ?? { kind: 'new' };
  }

  /** Asks the store for a group, in one round trip, sparing it what is known here. Answers are in the order of the group. */
  async claim(group: readonly ClaimRequest[], deadlineMs?: number): Promise<ClaimAnswer[]> {
    const answers = new Array<ClaimAnswer>(group.length);
    const asked: Asked[] = [];
    for (const [index, request] of group.entries()) {
      const known = this.known(request);
      if (known?.kind === 'done' || known?.kind === 'busy') {
        answers[index] = known;
        continue;
      }
      asked.push({ index, request, lapsedAt: this.inAir.get(request.id) });
      // Held while asking: a copy in another slice must not ask at the same time.
      this.hold(request.id);
    }
    if (asked.length === 0) return answers;
    const { store, owner, reserveMs } = this.options;
    const told = await store.claim(
      asked.map((a) => a.request),
      owner,
      reserveMs(),
      deadlineMs,
    );
    for (const [n, a] of asked.entries())
      answers[a.index] = this.settleAsked(a, told[n] ?? { kind: 'unknown' });
    return answers;
  }

  /** The item ended: delivered to a provider (or never to be repeated), or dead-lettered in that generation. */
  finish(id: string, end: ClaimEnd, generation: number): void {
    this.inAir.delete(id);
    this.settled.set(id, { end, generation });
    this.options.store.finish(id, end, this.options.owner, generation);
  }

  /** The item was certainly not sent: retry, lapsed token, dropped with its partition. */
  release(id: string): void {
    this.inAir.delete(id);
    // Told or not, the claim must not reach the store behind its release.
    this.announcing.delete(id);
    this.options.store.release(id, this.options.owner);
  }

  /** Tells the store all that is waiting; false when some is still untold after `deadlineMs`. */
  async flush(deadlineMs: number): Promise<boolean> {
    while (this.announcing.size > 0) await this.announceNow();
    return this.options.store.flush(deadlineMs);
  }

  private known({ id, generation }: ClaimRequest): ClaimAnswer | undefined {
    const settled = this.settled.get(id);
    if (settled && (settled.end === 'done' || generation <= settled.generation)) return { kind: 'done' };
    const deadline = this.inAir.get(id);
    if (deadline === undefined) return undefined;
    const leftMs = deadline - this.options.clock.monotonic();
    if (leftMs <= 0) return { kind: 'takeover' };
    return { kind: 'busy', waitMs: Math.min(leftMs, this.options.recheckMs ?? 100) };
  }

  private settleAsked({ request: { id }, lapsedAt }: Asked, answer: ClaimAnswer): ClaimAnswer {
    // Held here past its deadline: to the store it is our own, but a send may have happened.
    if (answer.kind === 'new') return lapsedAt === undefined ? answer : { kind: 'takeover' };
    if (answer.kind === 'takeover') return answer;
    this.inAir.delete(id);
    if (answer.kind === 'unknown' && lapsedAt !== undefined) this.inAir.set(id, lapsedAt);
    return answer;
  }

  private hold(id: string): void {
    this.inAir.set(id, this.options.clock.monotonic() + this.options.reserveMs());
  }

  private announce(request: ClaimRequest): void {
    if (this.announcing.size >= (this.options.maxIds ?? 100_000)) return;
    this.announcing.set(request.id, request);
    this.announceSoon();
  }

  private announceSoon(): void {
    this.timer ??= setTimeout(() => void this.announceNow(), this.options.announceEveryMs ?? 25).unref();
  }

  private async announceNow(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const group: ClaimRequest[] = [];
    for (const [id, request] of this.announcing) {
      if (group.length === ANNOUNCE_CHUNK) break;
      this.announcing.delete(id);
      // What was settled meanwhile needs no reservation any more.
      if (this.inAir.get(id) !== undefined) group.push(request);
    }
    if (this.announcing.size > 0) this.announceSoon();
    if (group.length === 0) return;
    const { store, owner, reserveMs } = this.options;
    const answers = await store.claim(group, owner, reserveMs());
    this.conflicts += answers.filter((a) => a.kind !== 'new' && a.kind !== 'unknown').length;
  }
}
