import { PRIORITIES } from '@commservice/contracts';
import type { LeaseAnswer } from './coordinator/coordinator.js';
import { classIndex } from './coordinator/scope-state.js';
import { horizonMs } from './lease-request.js';
import type { ScopeParts } from './scope-parts.js';

/** How an answer came. */
export interface AnswerContext {
  /** When it was asked for, monotonic ms. */
  readonly sentAtMs: number;
  /** The authority's time as this process's monotonic time. */
  readonly toLocal: (ms: number) => number;
  /** Whether the authority is the one of all pods, not one of this pod's own. */
  readonly coordinated: boolean;
}

/** Takes over what a lease brought: departures, stock, holds and what holds in the scope. */
export function takeAnswer(p: ScopeParts, answer: LeaseAnswer, context: AnswerContext): void {
  const { facts, departures, gate } = p;
  const { sentAtMs, toLocal, coordinated } = context;
  Object.assign(facts, {
    run: answer.run,
    // An authority of the pod's own counts on its own; the coordinator's count is what a lagging replica is known by.
    sequence: coordinated ? answer.sequence : facts.sequence,
    grid: answer.grid,
    pods: answer.pods,
  });
  const { ratePerSecond, shares } = answer;
  Object.assign(facts, { ratePerSecond, silent: false });
  // An authority of the pod's own agrees with nobody.
  if (coordinated) Object.assign(facts, { agreed: { ratePerSecond, shares }, versions: answer.versions });
  facts.answeredAtMs = sentAtMs;
  facts.grantedUntilMs = toLocal(answer.nowMs) + horizonMs(p);
  for (const c of PRIORITIES) {
    // Blocked there: the end of the hold is new demand.
    if (answer.holds.some((h) => classIndex(h.priority) < classIndex(c))) facts.asked[c] = 0;
    facts.blockedSince[c] = answer.blockedSinceMs[c] > 0 ? toLocal(answer.blockedSinceMs[c]) : undefined;
  }
  const ordinary = answer.slots.filter((s) => !s.minimumShare).length;
  facts.covered = facts.heldAtAsk + ordinary >= facts.asked.P1 + facts.asked.P2 + facts.asked.P3;
  departures.standing.allow(answer.stockAllowed);
  departures.add(
    answer.slots.map((s) => ({ ...s, dueMs: toLocal(s.dueMs) })),
    answer.grid,
  );
  gate.note(answer.holds, toLocal, p.clock.monotonic());
  for (const s of answer.slots) p.metrics.tokensGranted.add(1, { scope: p.scope, priority: s.priority });
}
