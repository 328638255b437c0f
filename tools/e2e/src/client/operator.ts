import type { Priority } from '@commservice/contracts';
import { until } from '@commservice/testkit';

export const OPS_KEY = 'ops_demo_key_for_development_only';

interface Held {
  readonly since: string;
  readonly by: string;
  readonly reason: string;
}

/** `GET /lanes` of one pod, as far as journeys ask. */
export interface PodView {
  readonly catalogue: { readonly version: number };
  readonly lanes: readonly {
    readonly lane: string;
    /** `ready`, or why not. */
    readonly state: string;
    /** Part of the lane's partitions, 0 to 1. */
    readonly ownership: number;
    /** Records behind the topics' ends. */
    readonly lag: number;
    readonly inFlight: number;
    readonly queued: number;
    readonly paused?: Held;
    readonly waitingFor?: { readonly cause: string };
  }[];
  readonly scopes: readonly {
    readonly scope: string;
    readonly mode: string;
    readonly modeOrigin: string;
    readonly modeSet?: Held;
    readonly classes: Readonly<Record<Priority, { readonly gate: string }>>;
  }[];
}

export interface OrderReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One dispatcher pod as an operator sees it. */
export class Operator {
  constructor(private readonly base: string) {}

  /** One order, whatever the answer. */
  async order(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object,
    key = OPS_KEY,
  ): Promise<OrderReply> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as OrderReply['body'] };
  }

  async view(): Promise<PodView> {
    return (await (
      await fetch(`${this.base}/lanes`, { signal: AbortSignal.timeout(2_000) })
    ).json()) as PodView;
  }

  /** The lane in this pod's view. */
  async lane(name: string): Promise<PodView['lanes'][number]> {
    const found = (await this.view()).lanes.find((l) => l.lane === name);
    if (!found) throw new Error(`${this.base} runs no lane ${name}`);
    return found;
  }

  async scope(name: string): Promise<PodView['scopes'][number]> {
    const found = (await this.view()).scopes.find((s) => s.scope === name);
    if (!found) throw new Error(`${this.base} has no scope ${name}`);
    return found;
  }
}

/** Waits until every pod shows what is wanted; how long that took, ms. */
export async function untilAllShow(
  pods: readonly Operator[],
  what: string,
  shows: (pod: Operator) => Promise<boolean>,
): Promise<number> {
  const from = performance.now();
  const look = async (): Promise<boolean> => (await Promise.all(pods.map(shows))).every(Boolean);
  await until(look, { deadlineMs: 10_000, everyMs: 20, describe: () => `every pod shows: ${what}` });
  return performance.now() - from;
}
