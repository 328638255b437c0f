import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { ScopeGate } from './gate/scope-gate.js';
import type { LeaseLoop } from './lease-loop.js';
import type { ScopeParts } from './scope-parts.js';
import type { ClassView, ScopeView } from './scope-view.js';
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
  const shared = blocked && blockedForMs > p.timing.maxBlockMs;
  return {
    gate: !blocked ? 'open' : shared ? 'minimum-share' : 'blocked',
    blockedBy: blocked ? gate.holds.blockers(priority, now) : [],
    blockedForMs,
    waitingUnits: p.seats.units(priority),
    tokens: p.departures.heldFor(priority),
    ...tokens.totals[priority],
  };
}

/** The scope in plain data, as this pod sees it at this moment. */
export function scopeView(p: ScopeParts, loop: LeaseLoop): ScopeView {
  const now = p.clock.monotonic();
  const silence = loop.link.silenceMs(now);
  const classes = PRIORITIES.map((c) => [c, classView(p, p.gate, p.tokens, c, now)] as const);
  return {
    scope: p.scope,
    pod: p.pod,
    mode: p.facts.mode,
    authority: loop.link.authority,
    ratePerSecond: p.facts.ratePerSecond,
    pods: p.facts.pods,
    ...(loop.link.authority === 'starting' ? {} : { viewAgeMs: Math.round(silence) }),
    stock: p.departures.stock,
    stockAllowed: p.departures.stockAllowed,
    classes: Object.fromEntries(classes) as Record<Priority, ClassView>,
    lapsed: p.departures.lapsed,
    leases: loop.leases,
    leasesUnanswered: loop.leasesUnanswered,
  };
}
