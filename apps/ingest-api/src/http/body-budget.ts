/** What the runtime keeps for every chunk besides its bytes, about: tiny chunks must not be free. */
const CHUNK_BYTES = 128;

/** What one body holds of a budget. */
export interface BodyHold {
  /** Charges a chunk that has arrived; false when there is no room for it, and then it must not be kept. */
  take(chunkBytes: number): boolean;
  /** Gives everything back. May be called more than once; nothing can be taken afterwards. */
  release(): void;
}

/**
 * Bounds the memory that request bodies may hold at once. Bytes are charged as they arrive, so a client that only
 * promises them holds nothing, and given back when the answer has left. Singles and batches have separate budgets, so
 * that bulk never turns a code away.
 *
 * Invariant: nobody takes more than is left for the others. One team alone gets half, the next at least half of the rest:
 * no team, however slow, leaves another without room. Used by `BodyAdmission` only.
 */
export class BodyBudget {
  private used = 0;
  private readonly byTeam = new Map<string, number>();

  /** @param maxBytes most bytes held at once */
  constructor(private readonly maxBytes: number) {}

  /** Whether a team could hold so many bytes more now. */
  fits(team: string, bytes: number): boolean {
    return this.heldBy(team) + bytes <= this.maxBytes - this.used;
  }

  /** Begins a body of a team; it holds nothing yet. */
  hold(team: string): BodyHold {
    let held = 0;
    let released = false;
    return {
      take: (chunkBytes) => {
        const bytes = chunkBytes + CHUNK_BYTES;
        if (released || !this.fits(team, bytes)) return false;
        held += bytes;
        this.add(team, bytes);
        return true;
      },
      release: () => {
        released = true;
        this.add(team, -held);
        held = 0;
      },
    };
  }

  /** Bytes held now, by all teams. */
  get heldBytes(): number {
    return this.used;
  }

  private heldBy(team: string): number {
    return this.byTeam.get(team) ?? 0;
  }

  private add(team: string, bytes: number): void {
    if (bytes === 0) return;
    const held = this.heldBy(team) + bytes;
    this.used += bytes;
    if (held === 0) this.byTeam.delete(team);
    else this.byTeam.set(team, held);
  }
}
