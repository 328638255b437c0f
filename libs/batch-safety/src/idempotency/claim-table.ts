import type { ClaimAnswer, ClaimLifetimes, ClaimRequest } from './claim.js';

interface Reserved {
  readonly state: 'reserved';
  readonly generation: number;
  /** The death this reservation came from, −1 for none: what a release goes back to. */
  readonly dead: number;
  /** An earlier owner may have sent it. */
  readonly takenOver: boolean;
  readonly deadline: number;
  readonly owner: string;
  readonly until: number;
}
type Entry =
  | Reserved
  | { readonly state: 'done'; readonly until: number }
  | { readonly state: 'dead'; readonly generation: number; readonly until: number };

/** One change of a claim after the send. */
export interface Settlement {
  readonly id: string;
  readonly op: 'done' | 'dead' | 'release';
  readonly owner: string;
  readonly generation: number;
}

/**
 * The rules of claims in memory: the twin of lua/claim-n.lua and lua/settle-n.lua, statement by statement. One contract
 * suite runs on both. For tests, and for one process without Redis.
 */
export class ClaimTable {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly lifetimes: ClaimLifetimes,
    /** Ms; whole numbers, as the script counts. */
    private readonly now: () => number,
  ) {}

  claim(group: readonly ClaimRequest[], owner: string, reserveMs: number): ClaimAnswer[] {
    const seen = new Set<string>();
    return group.map(({ id, generation }) => {
      if (seen.has(id)) return { kind: 'busy', waitMs: reserveMs };
      seen.add(id);
      return this.judge(id, generation, owner, reserveMs);
    });
  }

  settle({ id, op, owner, generation }: Settlement): void {
    if (op === 'done') this.entries.set(id, { state: 'done', until: this.now() + this.lifetimes.doneMs });
    else if (op === 'dead') this.bury(id, generation);
    else this.release(id, owner);
  }

  private judge(id: string, generation: number, owner: string, reserveMs: number): ClaimAnswer {
    const entry = this.read(id);
    const reserve = (g: number, dead: number, takenOver: boolean): ClaimAnswer => {
      const now = this.now();
      const until = now + this.lifetimes.reservedMs;
      this.entries.set(id, {
        state: 'reserved',
        generation: g,
        dead,
        takenOver,
        deadline: now + reserveMs,
        owner,
        until,
      });
      return takenOver ? { kind: 'takeover' } : { kind: 'new' };
    };
    if (!entry) return reserve(generation, -1, false);
    if (entry.state === 'done') return { kind: 'done' };
    const dead = entry.state === 'dead' ? entry.generation : entry.dead;
    if (generation <= dead) return { kind: 'done' };
    if (entry.state === 'dead') return reserve(generation, dead, false);
    const foreign = entry.owner !== owner;
    if (foreign && this.now() < entry.deadline) return { kind: 'busy', waitMs: entry.deadline - this.now() };
    return reserve(Math.max(entry.generation, generation), dead, foreign || entry.takenOver);
  }

  private bury(id: string, generation: number): void {
    const entry = this.read(id);
    if (entry?.state === 'done') return;
    const before = entry ? (entry.state === 'dead' ? entry.generation : entry.dead) : -1;
    const dead = Math.max(generation, before);
    if (entry?.state === 'reserved' && entry.generation > dead) this.entries.set(id, { ...entry, dead });
    else this.entries.set(id, { state: 'dead', generation: dead, until: this.now() + this.lifetimes.deadMs });
  }

  private release(id: string, owner: string): void {
    const entry = this.read(id);
    if (entry?.state !== 'reserved' || entry.owner !== owner) return;
    if (entry.dead < 0) this.entries.delete(id);
    else
      this.entries.set(id, {
        state: 'dead',
        generation: entry.dead,
        until: this.now() + this.lifetimes.deadMs,
      });
  }

  private read(id: string): Entry | undefined {
    const entry = this.entries.get(id);
    if (!entry || this.now() < entry.until) return entry;
    this.entries.delete(id);
    return undefined;
  }
}
