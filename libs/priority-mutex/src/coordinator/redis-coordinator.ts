import { join } from 'node:path';
import { loadLua } from '@commservice/redis';
import type { Coordinator, Edge, LeaseRequest, LeaseResult } from './coordinator.js';
import { STATE_LIFETIME_MS, leaseArgs, parseAnswer, parseEdge } from './lease-wire.js';
import type { EdgeSource, ScriptRunner } from './script-port.js';

/** `lua/` beside `src/` and `dist/`. */
const LUA = join(__dirname, '..', '..', 'lua');
const LEASE = loadLua(LUA, 'lease-2.lua');
const LEAVE = loadLua(LUA, 'leave-2.lua');

/**
 * The authority in Redis: one script call a lease, edges published by the script itself. Stateless; one serves all scopes
 * of a process.
 */
export class RedisCoordinator implements Coordinator {
  /** @param testTimeMs replaces the server's clock; for tests only */
  constructor(
    private readonly scripts: ScriptRunner,
    private readonly edges: EdgeSource,
    private readonly testTimeMs?: () => number,
  ) {}

  async lease(request: LeaseRequest, deadlineMs: number): Promise<LeaseResult> {
    const result = await this.scripts.run(
      LEASE,
      keys(request.scope),
      leaseArgs(request, this.testTimeMs?.()),
      deadlineMs,
    );
    if (result.kind === 'no-answer') return result;
    const answer = parseAnswer(result.value);
    return answer ? { kind: 'answer', answer } : { kind: 'no-answer', reason: 'script-error' };
  }

  async leave(scope: string, pod: string, deadlineMs: number): Promise<void> {
    await this.scripts.run(LEAVE, keys(scope), [pod, STATE_LIFETIME_MS], deadlineMs);
  }

  onEdge(scope: string, listener: (edge: Edge) => void): () => void {
    const [, channel] = keys(scope) as [string, string];
    return this.edges.subscribe(channel, (text) => {
      const edge = parseEdge(text);
      if (edge) listener(edge);
    });
  }
}

/** The hash tag keeps both on one node of a cluster. */
const keys = (scope: string): string[] => [`mutex:{${scope}}:state`, `mutex:{${scope}}:edges`];
