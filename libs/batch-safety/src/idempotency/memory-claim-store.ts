import {
  CLAIM_LIFETIMES,
  type ClaimAnswer,
  type ClaimEnd,
  type ClaimLifetimes,
  type ClaimRequest,
  type ClaimStore,
} from './claim.js';
import { ClaimTable } from './claim-table.js';
import { Settlements } from './settlements.js';

/**
 * `ClaimStore` in one process: the twin of the Redis one. While `reachable` is false it behaves as through an outage:
 * claims are `unknown`, settlements wait and are told once it is reachable again.
 */
export class MemoryClaimStore implements ClaimStore {
  reachable = true;
  private readonly table: ClaimTable;
  private readonly waiting = new Settlements(50_000);

  constructor(now: () => number, lifetimes: ClaimLifetimes = CLAIM_LIFETIMES) {
    this.table = new ClaimTable(lifetimes, () => Math.floor(now()));
  }

  claim(group: readonly ClaimRequest[], owner: string, reserveMs: number): Promise<ClaimAnswer[]> {
    if (this.reachable) {
      this.tell();
      return Promise.resolve(this.table.claim(group, owner, reserveMs));
    }
    for (const { id } of group) this.waiting.takeBackRelease(id);
    const answer = ({ id, generation }: ClaimRequest): ClaimAnswer =>
      this.waiting.isDone(id, generation) ? { kind: 'done' } : { kind: 'unknown' };
    return Promise.resolve(group.map(answer));
  }

  finish(id: string, end: ClaimEnd, owner: string, generation: number): void {
    this.waiting.add({ id, op: end, owner, generation });
    if (this.reachable) this.tell();
  }

  release(id: string, owner: string): void {
    this.waiting.add({ id, op: 'release', owner, generation: 0 });
    if (this.reachable) this.tell();
  }

  flush(): Promise<boolean> {
    if (this.reachable) this.tell();
    return Promise.resolve(this.waiting.size === 0);
  }

  private tell(): void {
    const all = this.waiting.next(this.waiting.size);
    for (const [, settlement] of all) this.table.settle(settlement);
    this.waiting.told(all);
  }
}
