import type { ClaimAnswer } from '@commservice/batch-safety';
import { unreachable } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import type { ClaimStageOptions } from './claim-stage-options.js';

const P1_CLAIM_MS = 50;
const CLAIM_MS = 1_000;
/**
 * How long an item waits before it is asked for again, ms. Not as long as its reservation holds: its owner may release it
 * any moment, and after a rebalance it does so a little after we first asked.
 */
const ASK_AGAIN_MS = { P1: 100, P2: 500, P3: 500 } as const;
/** Waiting items that take no place in the lane's window: those behind them go past. */
const MAX_WAITING = 1_000;
/** Claims of one round trip: it must not hold Redis up. */
const ASK_CHUNK = 200;

/**
 * Holds the few items a lane is about to send and claims them ahead of their tokens, so that nothing is awaited between a
 * token and its send. States of an item: ASKING → READY | DUPLICATE (gone) | WAITING (busy or Redis silent: asked for again
 * every 100 or 500 ms) → READY | DUPLICATE. Invariant: an item that waits takes no other's place, up to 1 000 of them.
 *
 * P1 never waits for Redis: a fresh record is claimed in memory, an older one asks with 50 ms and then goes. P2 and P3 whose
 * records are fresh go on in memory while Redis is silent; others wait.
 */
export class ClaimStage {
  private ready: LaneItem[] = [];
  private units = 0;
  private waiting: LaneItem[] = [];
  /** Waiting items that are just being asked for again. */
  private askedAgain = 0;
  private again: NodeJS.Timeout | undefined;
  private pending = 0;
  private epoch = 0;

  constructor(private readonly options: ClaimStageOptions) {}

  /** Items in the lane's window: ready, or asked for. Waiting ones are outside it, those above the bound excepted. */
  get size(): number {
    return this.ready.length + this.pending + Math.max(0, this.waitingCount - MAX_WAITING);
  }

  /** Items that are being asked for and may be ready in a moment; not those that wait. */
  get pendingCount(): number {
    return this.pending;
  }

  /** Items that another owner holds, or that Redis must answer for first. */
  get waitingCount(): number {
    return this.waiting.length + this.askedAgain;
  }

  /** Units of the ready items. */
  get readyUnits(): number {
    return this.units;
  }

  peek(): LaneItem | undefined {
    return this.ready[0];
  }

  shift(): LaneItem | undefined {
    const item = this.ready.shift();
    this.units -= item?.message.units ?? 0;
    return item;
  }

  /** Gives the first item up, with its claim: it is not to be sent yet. */
  drop(): void {
    const item = this.shift();
    if (item) this.release(item);
  }

  /** Puts an item back in front: it was claimed and not sent. */
  putBack(item: LaneItem): void {
    item.narrow?.returned();
    this.ready.unshift(item);
    this.units += item.message.units;
  }

  /** Takes items in; fresh P1 are ready at once, the others after one round trip for the whole group. */
  add(items: readonly LaneItem[]): void {
    const asking: LaneItem[] = [];
    for (const item of items) {
      if (this.options.priority === 'P1' && item.record.fresh) this.answer(item, this.claimInMemory(item));
      else asking.push(item);
    }
    if (asking.length > 0) this.ask(asking);
  }

  /** Drops every item, releasing what was claimed: the generation changed, or the lane stops. */
  clear(): void {
    this.epoch++;
    for (const item of this.ready) this.release(item);
    this.ready = [];
    this.units = 0;
    this.pending = 0;
    this.waiting = [];
    this.askedAgain = 0;
    clearTimeout(this.again);
    this.again = undefined;
  }

  /** Asks anew for ready items whose reservation is past half its time (a gate may stay shut for minutes). */
  renew(): void {
    const now = this.options.clock.monotonic();
    const isStale = (item: LaneItem): boolean => item.claimedAt + item.reservedMs / 2 < now;
    if (!this.ready.some(isStale)) return;
    const stale = this.ready.filter(isStale);
    this.ready = this.ready.filter((item) => !isStale(item));
    for (const item of stale) {
      this.units -= item.message.units;
      this.release(item);
    }
    this.ask(stale);
  }

  private claimInMemory(item: LaneItem): ClaimAnswer {
    item.reservedMs = this.options.reserveMs();
    return this.options.claims.claimInMemory({ id: item.message.id, generation: item.generation });
  }

  private ask(items: readonly LaneItem[]): void {
    this.pending += items.length;
    this.claim(items, () => (this.pending -= items.length));
  }

  private claim(items: readonly LaneItem[], onAnswer: () => void): void {
    const { priority, claims } = this.options;
    const epoch = this.epoch;
    const reservedMs = this.options.reserveMs();
    for (const item of items) item.reservedMs = reservedMs;
    const group = items.map((item) => ({ id: item.message.id, generation: item.generation }));
    void claims.claim(group, priority === 'P1' ? P1_CLAIM_MS : CLAIM_MS).then((answers) => {
      if (epoch !== this.epoch) return this.releaseAll(items, answers);
      onAnswer();
      items.forEach((item, i) => this.answer(item, answers[i] ?? { kind: 'unknown' }));
      this.options.onReady();
    });
  }

  private answer(item: LaneItem, answer: ClaimAnswer): void {
    switch (answer.kind) {
      case 'takeover':
        item.takenOver = true;
        return this.makeReady(item);
      case 'new':
        return this.makeReady(item);
      case 'done':
        return this.options.onDuplicate(item);
      case 'busy':
        return this.askLater(item);
      case 'unknown':
        return this.withoutAnswer(item);
      default:
        return unreachable(answer);
    }
  }

  private withoutAnswer(item: LaneItem): void {
    if (this.options.priority !== 'P1' && !item.record.fresh) return this.askLater(item);
    this.answer(item, this.claimInMemory(item));
  }

  private makeReady(item: LaneItem): void {
    item.claimedAt = this.options.clock.monotonic();
    this.ready.push(item);
    this.units += item.message.units;
  }

  private askLater(item: LaneItem): void {
    this.waiting.push(item);
    this.again ??= setTimeout(() => this.askAgain(), ASK_AGAIN_MS[this.options.priority]).unref();
  }

  private askAgain(): void {
    this.again = undefined;
    while (this.waiting.length > 0) {
      const chunk = this.waiting.splice(0, ASK_CHUNK);
      this.askedAgain += chunk.length;
      this.claim(chunk, () => (this.askedAgain -= chunk.length));
    }
  }

  /** What an earlier owner may have sent stays reserved until its time is over: a release would make it look new. */
  private release(item: LaneItem): void {
    if (!item.takenOver) this.options.claims.release(item.message.id);
  }

  private releaseAll(items: readonly LaneItem[], answers: readonly ClaimAnswer[]): void {
    items.forEach((item, i) => {
      const kind = answers[i]?.kind;
      if (kind === 'new') this.options.claims.release(item.message.id);
    });
  }
}
