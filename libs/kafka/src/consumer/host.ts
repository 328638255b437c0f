import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';

/** Where a member's process runs and listens, as it told the group. */
export interface Place {
  /** `host:port`. */
  readonly address: string;
  /** Which machine and network its addresses mean, see `thisHost`; undefined = an earlier release, not known. */
  readonly host?: string;
}

/**
 * Names the network that this process's addresses mean: the machine's name, its boot id, and its network namespace, as far as
 * they can be read. Two containers of one machine differ, for each has a loopback of its own.
 */
export function thisHost(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const network = attempt(() => readlinkSync('/proc/self/ns/net'));
  return [hostname(), boot, network].filter(Boolean).join(' ');
}

/**
 * Whether a refusal at the peer's address can mean the peer: on another host, or one that is not known, an address that leads
 * back to this one (loopback, an interface of ours, our own name) says nothing of it.
 * @param interfaces this host's addresses; default: as the system tells
 */
export function tellsOfPeer(self: Place, peer: Place, interfaces = interfaceAddresses()): boolean {
  if (self.host !== undefined && self.host === peer.host) return true;
  const name = hostPart(peer.address);
  return !isLoopback(name) && name !== hostPart(self.address) && !interfaces.includes(name);
}

/** Whether a host name or address is this machine's own by definition. */
export function isLoopback(name: string): boolean {
  return /^(localhost(\..*)?|(::ffff:)?(127|0)(\.\d+){3}|::1?)$/i.test(name.replace(/^\[|\]$/g, ''));
}

/** `10.0.0.1` of `10.0.0.1:3011`. */
export function hostPart(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
