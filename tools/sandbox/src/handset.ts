import type { Channel } from '@commservice/contracts';

/** One message as its recipient sees it. */
export interface Shown {
  readonly seq: number;
  readonly at: number;
  readonly channel: Channel;
  readonly priority: string;
  readonly brand: string;
  readonly account: string;
  readonly outcome: string;
  readonly to: unknown;
  readonly content: unknown;
}

const KEEP = 20;

/**
 * The last messages of every (channel, class), for the page only: it plays the recipient's handset, so it is the one place
 * that shows content. Kept apart by class, so that a flood does not push a code off the screen.
 */
export class Handset {
  private readonly rings = new Map<string, Shown[]>();

  show(message: Shown): void {
    const key = `${message.channel} ${message.priority === 'P1' || message.priority === 'P2' ? message.priority : 'P3'}`;
    let ring = this.rings.get(key);
    if (!ring) this.rings.set(key, (ring = []));
    ring.push(message);
    if (ring.length > KEEP) ring.shift();
  }

  /** What is on the screen, newest first. */
  messages(): Shown[] {
    return [...this.rings.values()].flat().sort((a, b) => b.seq - a.seq);
  }

  clear(): void {
    this.rings.clear();
  }
}
