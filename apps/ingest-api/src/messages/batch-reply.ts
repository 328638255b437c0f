import { problemOf, type BatchResult, type FieldError, type Problem } from '@commservice/contracts';
import { jsonReply, problemReply, retryAfter, type HttpReply } from '../http/http-problem.js';
import { located, type Caller } from './caller.js';
import { BROKER_RETRY_MS } from './replies.js';

/** Most faults repeated at the top of a batch that was refused as a whole; every item has its own. */
const MAX_TOP_FAULTS = 100;

export type ItemOutcome =
  | { readonly kind: 'accepted'; readonly id: string; readonly replayed?: true }
  | { readonly kind: 'refused'; readonly problem: Problem };

function resultOf(outcome: ItemOutcome, index: number): BatchResult {
  if (outcome.kind === 'refused') return { index, status: outcome.problem.status, problem: outcome.problem };
  return { index, status: 202, id: outcome.id, ...(outcome.replayed ? { replayed: true as const } : {}) };
}

/** The problem for a batch none of whose items was accepted. */
function wholeProblem(problems: readonly Problem[]): Problem | undefined {
  const statuses = new Set(problems.map((p) => p.status));
  if (statuses.size === 1 && statuses.has(503)) {
    return problemOf('unavailable', 503, 'No message could be stored; nothing was kept', {
      retryAfterSeconds: BROKER_RETRY_MS / 1000,
    });
  }
  if ([...statuses].some((s) => s >= 500 || s === 409)) return undefined;
  const errors: FieldError[] = problems.flatMap((p) => p.errors ?? []).slice(0, MAX_TOP_FAULTS);
  return problemOf('invalid-request', 422, 'No message of the batch was accepted; see errors and results', {
    errors,
  });
}

/** 202 when all items were accepted, 207 for a mixture, 422 or 503 when none was. */
export function batchReply(outcomes: readonly ItemOutcome[], caller: Caller): HttpReply {
  const results = outcomes.map(resultOf);
  const problems = outcomes.flatMap((o) => (o.kind === 'refused' ? [o.problem] : []));
  const counts = { accepted: results.length - problems.length, rejected: problems.length };
  const unstored = problems.some((p) => p.status === 503) ? retryAfter(BROKER_RETRY_MS) : {};
  if (problems.length === 0) return jsonReply(202, { ...counts, results });
  const whole = counts.accepted === 0 ? wholeProblem(problems) : undefined;
  if (!whole) return jsonReply(207, { ...counts, results }, unstored);
  return problemReply({ ...located(whole, caller), ...counts, results } as Problem, unstored);
}
