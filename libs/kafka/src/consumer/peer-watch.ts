import { connect } from 'node:net';
import type { Logger } from '@commservice/telemetry';
import { hostPart, isLoopback } from './host.js';

/** Another member of the group. */
export interface Peer {
  readonly memberId: string;
  /** `host:port` on which its process listens for as long as it lives. */
  readonly address: string;
}

/** `refused`: its machine answers and nothing listens there. `silent`: no answer, which says nothing of the process. */
export type Sign = 'alive' | 'refused' | 'silent';

export interface PeerWatchOptions {
  readonly group: string;
  readonly logger: Logger;
  /** Takes a member out of the group. */
  readonly evict: (memberId: string) => Promise<void>;
  /** Asks an address for a sign; default by TCP. */
  readonly probe?: (address: string) => Promise<Sign>;
  /** Pause between two looks, ms. Default 100. */
  readonly everyMs?: number;
}

const EVERY_MS = 100;
const PROBE_MS = 500;
/** Looks in a row that must be refused. */
const REFUSALS = 2;

/**
 * Sees at once that another member's process has died, which the broker notices only a session later, and takes it out of
 * the group. A dead process no longer listens, and its machine says so; a frozen or merely slow one still accepts
 * connections, and one that cannot be reached says nothing: both are left to the session.
 *
 * States: IDLE → WATCHING one peer → EVICTING → WATCHING the next one, as the group tells it. Invariant: a peer is evicted
 * only after it was reached at its address and then refused twice in a row. Caller: LaneConsumer, after each assignment.
 */
export class PeerWatch {
  private peer: Peer | undefined;
  private refusals = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Members reached since they joined. */
  private reached = new Set<string>();

  constructor(private readonly options: PeerWatchOptions) {}

  /** The members of the group as they are now: each watches the next one in order of ids, so that each is watched once. */
  members(self: string, peers: readonly Peer[]): void {
    const others = [...peers].sort((a, b) => (a.memberId < b.memberId ? -1 : 1));
    const next = others.find((p) => p.memberId > self) ?? others[0];
    this.reached = new Set(others.map((p) => p.memberId).filter((id) => this.reached.has(id)));
    if (next?.memberId === this.peer?.memberId && next?.address === this.peer?.address) return;
    this.stop();
    this.peer = next?.memberId === self ? undefined : next;
    if (this.peer) void this.look(this.peer);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.peer = undefined;
    this.refusals = 0;
  }

  private async look(peer: Peer): Promise<void> {
    const { probe = tcpSign, everyMs = EVERY_MS } = this.options;
    const sign = await probe(peer.address);
    if (peer !== this.peer) return;
    if (sign === 'alive') this.reached.add(peer.memberId);
    this.refusals = sign === 'refused' ? this.refusals + 1 : 0;
    if (this.refusals >= REFUSALS && this.reached.has(peer.memberId)) await this.evict(peer);
    if (peer === this.peer) this.timer = setTimeout(() => void this.look(peer), everyMs).unref();
  }

  private async evict(peer: Peer): Promise<void> {
    const { evict, group, logger } = this.options;
    this.reached.delete(peer.memberId);
    const fields = { group, member: peer.memberId };
    logger.warn(fields, 'a member no longer listens: its process ended; it is taken out of the group');
    await evict(peer.memberId).catch((error: unknown) => {
      this.reached.add(peer.memberId); // tried again at the next look
      logger.warn({ ...fields, error: String(error) }, 'the member could not be taken out');
    });
  }
}

/** Connects and closes at once. */
export function tcpSign(address: string): Promise<Sign> {
  const host = hostPart(address);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(address.slice(host.length + 1)) });
    const end = (sign: Sign): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(sign);
    };
    const timer = setTimeout(() => end('silent'), PROBE_MS);
    socket.unref();
    socket.once('connect', () => end('alive'));
    socket.once('error', (error) => end(refusedBy(host, error) ? 'refused' : 'silent'));
  });
}

/** A name that led to loopback without being one (`/etc/hosts`) led to this machine: its refusal is not the peer's. */
function refusedBy(host: string, error: Error): boolean {
  const all = error instanceof AggregateError ? error.errors : [error];
  return (all as (NodeJS.ErrnoException & { address?: string })[]).every(
    ({ code, address }) => code === 'ECONNREFUSED' && (isLoopback(host) || !isLoopback(address ?? '')),
  );
}
