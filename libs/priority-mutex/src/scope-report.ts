import { minimumShareAfterMs } from './timing.js';
import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { ScopeGate } from './gate/scope-gate.js';
import type { LeaseLoop } from './lease-loop.js';
import type { ScopeParts } from './scope-parts.js';
import type { CatalogueView, ClassView, ScopeView } from './scope-view.js';
import type { ScopeTokens } from './scope-tokens.js';

function classView(
  p: ScopeParts,
  gate: ScopeGate,
  tokens: ScopeTokens,
  priority: Priority,
  now: number,
): ClassView {
  const blocked = gate.check(priority, now).kind === 'blocked';
  const since = p.facts.blockedSince[priority];
  const blockedForMs = blocked && since !== undefined ? Math.max(0, now - since) : 0;
  const shared = blocked && blockedForMs > minimumShareAfterMs(p.timing);
  return {
    gate: !blocked ? 'open' : shared ? 'minimum-share' : 'blocked',
    blockedBy: blocked ? gate.holds.blockers(priority, now) : [],
    blockedForMs,
    waitingUnits: p.seats.units(priority),
    tokens: p.departures.heldFor(priority),
    ...tokens.totals[priority],
  };
}

function catalogueView({ facts }: ScopeParts, coordinated: boolean): CatalogueView {
  const { versions } = facts;
  const version = facts.contract.catalogueVersion;
  if (!versions || !coordinated) return { version, podsDisagree: false };
  return { version, ...versions, podsDisagree: versions.oldest !== versions.newest };
}

/** The scope in plain data, as this pod sees it at this moment. */
export function scopeView(p: ScopeParts, loop: LeaseLoop): ScopeView {
  const now = p.clock.monotonic();
  const silence = loop.link.silenceMs(now);
  const { contract, agreed } = p.facts;
  const coordinated = loop.link.authority === 'coordinated' && p.facts.mode !== 'local';
  const classes = PRIORITIES.map((c) => [c, classView(p, p.gate, p.tokens, c, now)] as const);
  return {
    scope: p.scope,
    pod: p.pod,
    mode: p.facts.mode,
    authority: loop.link.authority,
    ratePerSecond: p.facts.ratePerSecond,
    shares: (coordinated ? (agreed ?? contract) : contract).shares,
    catalogue: catalogueView(p, coordinated),
    pods: p.facts.pods,
    ...(loop.link.authority === 'starting' ? {} : { viewAgeMs: Math.round(silence) }),
    stock: p.departures.standing.size,
    stockAllowed: p.departures.standing.allowed,
    classes: Object.fromEntries(classes) as Record<Priority, ClassView>,
    lapsed: p.departures.lapsed,
    leases: loop.leases,
    leasesUnanswered: loop.leasesUnanswered,
  };
}
