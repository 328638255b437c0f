import type { Settlement } from './claim-table.js';

/**
 * Settlements on their way to the store. Bounded: at `max` the oldest one is lost and counted (its reservation then runs out
 * by itself). `done` replaces whatever waits for the same id; a new claim takes back a waiting release.
 */
export class Settlements {
  private readonly waiting = new Map<string, Settlement>();
  /** How many were given up because the buffer was full. */
  lost = 0;

  constructor(private readonly max: number) {}

  get size(): number {
    return this.waiting.size;
  }

  add(s: Settlement): void {
    if (s.op === 'done') {
      this.waiting.delete(`dead ${s.id}`);
      this.waiting.delete(`release ${s.id}`);
    }
    const key = `${s.op} ${s.id}`;
    const earlier = this.waiting.get(key);
    if (earlier && earlier.generation > s.generation) return;
    this.waiting.delete(key);
    if (this.waiting.size >= this.max) {
      for (const oldest of this.waiting.keys()) {
        this.waiting.delete(oldest);
        this.lost++;
        break;
      }
    }
    this.waiting.set(key, s);
  }

  /** Whether a claim of this id and generation is already answered by what waits here. */
  isDone(id: string, generation: number): boolean {
    const dead = this.waiting.get(`dead ${id}`);
    return this.waiting.has(`done ${id}`) || (dead !== undefined && generation <= dead.generation);
  }

  takeBackRelease(id: string): void {
    this.waiting.delete(`release ${id}`);
  }

  /** The oldest `max`, still waiting until `told`. */
  next(max: number): [string, Settlement][] {
    const out: [string, Settlement][] = [];
    for (const entry of this.waiting) {
      if (out.length === max) break;
      out.push(entry);
    }
    return out;
  }

  /** The store has them; one that was replaced meanwhile goes on waiting. */
  told(entries: readonly [string, Settlement][]): void {
    for (const [key, s] of entries) if (this.waiting.get(key) === s) this.waiting.delete(key);
  }
}
