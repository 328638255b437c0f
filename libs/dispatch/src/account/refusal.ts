import { RETRY_TIERS, type Priority } from '@commservice/contracts';

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 30_000;
const URGENT_MS = 1_000;

/**
 * Whether the vendor refuses the account as a whole: its credentials, its address, its balance. A status alone (403) may be
 * about one record, so it takes two of them. States: CLEAR → SUSPECTED by one answer → PROVEN by a second one of another
 * record, or at once by a code that names the account → CLEAR when a message is accepted. PROVEN pauses calls for 1 s, for
 * twice as long after each answer that follows a pause, 30 s at most.
 *
 * It is not told which record an answer is about. A record that is suspected takes its retry tier, so an answer to another
 * class, or one that comes sooner than the shortest tier of its class, is about another record.
 * Pure but for the time it is given. One per account and pod. Caller: AccountState.
 */
export class Refusal {
  private suspect: { priority: Priority; atMs: number } | undefined;
  private isProven = false;
  private pauseMs = 0;
  private until = 0;

  get proven(): boolean {
    return this.isProven;
  }

  /** When the pause ends, monotonic ms; in the past when there is none. */
  get untilMs(): number {
    return this.until;
  }

  /** @param certain the vendor's code says that it means the account */
  note(priority: Priority, certain: boolean, nowMs: number): void {
    const before = this.suspect;
    this.suspect = { priority, atMs: nowMs };
    const another =
      before !== undefined &&
      (before.priority !== priority || nowMs - before.atMs < shortestTierMs(priority));
    this.isProven ||= certain || another;
    // what ends during a pause was in the air before it, or is a code that tries: no reason to wait longer
    if (!this.isProven || nowMs < this.until) return;
    this.pauseMs = Math.min(Math.max(PAUSE_MIN_MS, this.pauseMs * 2), PAUSE_MAX_MS);
    this.until = nowMs + this.pauseMs;
  }

  /** A message was accepted: whatever was refused before was about itself, or is over. */
  clear(): void {
    this.suspect = undefined;
    this.isProven = false;
    this.pauseMs = 0;
    this.until = 0;
  }

  /** How long a call must wait, ms. @param urgent a code: it tries again 1 s after the last refusal at most */
  waitMs(nowMs: number, urgent: boolean): number {
    const until = urgent ? Math.min(this.until, (this.suspect?.atMs ?? 0) + URGENT_MS) : this.until;
    return Math.max(0, until - nowMs);
  }
}

const shortestTierMs = (priority: Priority): number =>
  Math.min(...RETRY_TIERS[priority].map((tier) => tier.delayMs));
