import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { LanesView } from '@commservice/dispatch';

/** What holds a class back over all pods, for one column of the table. */
export type Blocked = Readonly<Record<Priority, string>>;

/** `GET /lanes` of every pod, in the words of the table: `P1 (sms-2)`, `token`, `-`. */
export async function blockedBy(pods: readonly string[]): Promise<Blocked> {
  const views = await Promise.all(pods.map(viewOf));
  const found = views.filter((view) => view !== undefined);
  return Object.fromEntries(PRIORITIES.map((p) => [p, words(found, p)])) as Record<Priority, string>;
}

async function viewOf(pod: string): Promise<LanesView | undefined> {
  try {
    return (await (await fetch(`${pod}/lanes`, { signal: AbortSignal.timeout(1_000) })).json()) as LanesView;
  } catch {
    return undefined; // a pod that restarts is left out of one row
  }
}

function words(views: readonly LanesView[], priority: Priority): string {
  if (views.length === 0) return '?';
  const blockers = views.flatMap((view) =>
    view.scopes.flatMap((s) => s.classes[priority].blockedBy.map((b) => b.priority)),
  );
  if (blockers.length > 0) return [...new Set(blockers)].join(', ');
  const causes = views.flatMap((view) =>
    view.lanes.filter((l) => l.lane.endsWith(`:${priority}`)).flatMap((l) => l.waitingFor?.cause ?? []),
  );
  return [...new Set(causes)].join(', ') || '-';
}
