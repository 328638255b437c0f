import {
  accountOf,
  durationMs,
  lanesOf,
  perBrandOf,
  type Catalogue,
  type Channel,
  type Lane,
  type Payload,
} from '@commservice/contracts';
import type { AcceptorOptions } from './acceptor.js';
import { readAddress } from './address.js';
import { recordOf, type Recorded, type Trace } from './record.js';

/** The team heartbeats belong to: no key has it, so no client ever sees them. */
export const HEARTBEAT_TEAM = 'heartbeat';

/**
 * Reserved recipients that no person has: an Ofcom drama number, an example.com mailbox (RFC 2606), a token and an id
 * of zeros and ones that no vendor issues. They pass the same checks as any other.
 */
export const HEARTBEAT_PAYLOADS: Readonly<Record<Channel, Payload>> = {
  sms: { to: { phone: '+447700900000' }, content: { text: 'heartbeat' } },
  push: {
    to: { platform: 'fcm', token: `heartbeat${'0'.repeat(32)}` },
    content: { title: 'heartbeat', body: 'heartbeat' },
  },
  email: { to: { email: 'heartbeat@example.com' }, content: { subject: 'heartbeat', text: 'heartbeat' } },
  messenger: { to: { service: 'telegram', id: '1' }, content: { text: 'heartbeat' } },
};

/** The lanes that get a heartbeat: all of them. */
export const heartbeatLanes = (catalogue: Catalogue): Lane[] =>
  lanesOf(catalogue.brands, perBrandOf(catalogue));

/** A brand that travels in `lane`, or undefined when the catalogue routes none there. */
function brandOf(lane: Lane, catalogue: Catalogue): string | undefined {
  return (
    lane.brand ?? catalogue.brands.find((brand) => accountOf(catalogue, lane.channel, brand) !== undefined)
  );
}

/** A category of the lane's class that may use its channel; a heartbeat shows what such a message would meet. */
function categoryOf(lane: Lane, catalogue: Catalogue): { name: string; ttlMs: number } {
  const found = Object.entries(catalogue.categories).find(
    ([, c]) => c.priority === lane.priority && c.channels.includes(lane.channel),
  );
  return found ? { name: found[0], ttlMs: durationMs(found[1].ttl) } : { name: 'heartbeat', ttlMs: 60_000 };
}

/**
 * The heartbeat of one lane: an ordinary record but for `kind`. It skips the team ceiling, never the rate.
 * @param maxTtlMs longest life, so that heartbeats of a standing lane expire and do not pile up
 * @returns undefined when no brand is routed through the lane or its data key is not loaded
 */
export function heartbeatOf(
  lane: Lane,
  catalogue: Catalogue,
  options: Omit<AcceptorOptions, 'ceiling'>,
  context: { trace: Trace; maxTtlMs: number },
): Extract<Recorded, { kind: 'recorded' }> | undefined {
  const brand = brandOf(lane, catalogue);
  const acceptedAt = Math.floor(options.clock.now());
  const dataKey = brand === undefined ? undefined : options.keyRing.current(brand, acceptedAt);
  const payload = HEARTBEAT_PAYLOADS[lane.channel];
  const address = readAddress(lane.channel, payload.to, catalogue);
  if (brand === undefined || !dataKey || address.kind === 'fault') return undefined;
  const category = categoryOf(lane, catalogue);
  const recorded = recordOf(
    {
      id: options.ids.create(HEARTBEAT_TEAM, acceptedAt),
      team: HEARTBEAT_TEAM,
      channel: lane.channel,
      brand,
      category: category.name,
      priority: lane.priority,
      units: 1,
      acceptedAt,
      ttlMs: Math.min(category.ttlMs, context.maxTtlMs),
      kind: 'heartbeat',
      payload,
      identity: address.identity,
    },
    { catalogue, dataKey, hashKey: options.hashKey, trace: context.trace },
  );
  return recorded.kind === 'recorded' ? recorded : undefined;
}
