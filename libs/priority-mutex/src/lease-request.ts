import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { LeaseRequest } from './coordinator/coordinator.js';
import { PACE } from './coordinator/scope-state.js';
import { contractAlone } from './scope-contract.js';
import type { ScopeParts } from './scope-parts.js';
import { minimumShareAfterMs } from './timing.js';
import { demandOf, usable } from './tokens/demand.js';

/** Departures due sooner than this are not given up: the answer would come too late for anybody. */
const RELEASE_AHEAD_MS = 4;
const WHOLE = { P1: 1, P2: 1, P3: 1 } as const;
/** Part of R at least: who owns nothing yet has nothing to send, but its grid needs a pace. */
const LEAST_PART = 0.001;

/** A lone pod's part of R, cut to whole departures a second: each pod rounding up by itself would exceed R together. */
function loneRate(ratePerSecond: number, part: number): number {
  const paced = ratePerSecond * part * PACE;
  return paced < 1 ? ratePerSecond * part : Math.floor(paced + 1e-9) / PACE;
}

export const stockShortfall = (p: ScopeParts): number =>
  Math.max(0, p.departures.standing.allowed - p.departures.standing.size);

export const wanted = (p: ScopeParts): Record<Priority, number> =>
  demandOf(p.seats, stockShortfall(p), p.facts.ratePerSecond, p.timing.horizonMs);

export const blockedAt =
  (p: ScopeParts, nowMs: number) =>
  (priority: Priority): boolean =>
    p.gate.check(priority, nowMs).kind === 'blocked';

/** Whether the pod calls every tick: something waits, or the standing stock is not full. */
export const isActive = (p: ScopeParts): boolean =>
  !p.seats.nothingWaits() || stockShortfall(p) > p.departures.pendingUnits;

/** The longest until the next call; the coordinator counts the pod as unheard after it. */
export const nextCallWithinMs = (p: ScopeParts): number =>
  (isActive(p) ? p.timing.tickMs : p.timing.pollMs) + p.timing.deadlineMs;

/** At small R the horizon must hold some departures of each pod. */
export const horizonMs = (p: ScopeParts): number =>
  Math.max(p.timing.horizonMs, ((p.facts.pods + 1) * 1000) / p.facts.ratePerSecond);

/**
 * What the pod asks for now. Departures that it will not use leave it with this call, and so do the P1 units counted.
 * @param alone the request goes to this pod's own fallback
 * @param holdsOwn the departures held were granted by the authority that is asked
 */
export function leaseRequest(p: ScopeParts, alone: boolean, holdsOwn: boolean): LeaseRequest {
  const now = p.clock.monotonic();
  p.tokens.advance(now);
  const pressing = p.gate.evaluate(now);
  const demand = wanted(p);
  const blocked = blockedAt(p, now);
  const ownership = p.seats.ownership();
  for (const c of PRIORITIES) p.facts.asked[c] = blocked(c) ? 0 : demand[c];
  const keep = Math.max(0, usable(demand, blocked) - p.departures.readyUnits);
  p.facts.heldAtAsk = p.departures.heldUnits;
  const p1Started = p.facts.p1Started;
  p.facts.p1Started = 0;
  const { contract, agreed } = p.facts;
  const lone = contractAlone(contract, agreed);
  const local = p.facts.mode === 'local';
  // An authority of the pod's own sees that pod alone: its part is in the rate, and so in its standing stock.
  const own = alone || local;
  const owned = PRIORITIES.reduce((sum, c) => sum + lone.shares[c] * ownership[c], 0);
  const part = local ? Math.max(LEAST_PART, owned) : owned;
  return {
    scope: p.scope,
    pod: p.pod,
    ...contract,
    ...(own ? { ratePerSecond: loneRate(lone.ratePerSecond, part), shares: lone.shares } : {}),
    mode: p.facts.mode,
    demand,
    pressing,
    pressForMs: p.gate.holdMs + p.timing.pressRefreshMs,
    ownership: own ? WHOLE : ownership,
    wantsStock: p.seats.has('P1'),
    p1Started,
    released: holdsOwn ? p.departures.surplus(keep, p.facts.grid, now + RELEASE_AHEAD_MS) : [],
    grid: p.facts.grid,
    seenSequence: p.facts.sequence,
    horizonMs: horizonMs(p),
    nextCallWithinMs: nextCallWithinMs(p),
    maxBlockMs: minimumShareAfterMs(p.timing),
  };
}
