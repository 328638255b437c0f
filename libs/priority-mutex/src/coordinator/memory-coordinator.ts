import type { Coordinator, Edge, LeaseRequest, LeaseResult } from './coordinator.js';
import { decideLease, decideLeave } from './decide-lease.js';
import type { ScopeState } from './scope-state.js';

/**
 * The authority in this process: the twin of the Redis one, and what a pod uses while Redis is silent or in mode `local`.
 * Invariant: answers at once and in order. Callers: ScopeMutex, models, tests.
 */
export class MemoryCoordinator implements Coordinator {
  private readonly states = new Map<string, ScopeState>();
  private readonly listeners = new Map<string, Set<(edge: Edge) => void>>();

  /**
   * @param nowMs the coordinator's clock, ms
   * @param own one pod's own authority: no answer gets lost, and an empty scope grants nothing for `graceMs`
   */
  constructor(
    private readonly nowMs: () => number,
    private readonly own?: { readonly graceMs: number },
  ) {}

  lease(request: LeaseRequest): Promise<LeaseResult> {
    const known = this.states.get(request.scope);
    const seenSequence = this.own ? (known?.sequence ?? 0) : request.seenSequence;
    const d = decideLease(known, { ...request, seenSequence }, this.nowMs(), this.own?.graceMs);
    this.states.set(request.scope, d.state);
    if (d.pressed.length > 0) this.tell(request.scope, { kind: 'press', pod: request.pod, holds: d.pressed });
    if (d.freed) this.tell(request.scope, { kind: 'freed', pod: request.pod });
    return Promise.resolve({ kind: 'answer', answer: d.answer });
  }

  leave(scope: string, pod: string): Promise<void> {
    const state = this.states.get(scope);
    if (state && decideLeave(state, pod)) this.tell(scope, { kind: 'freed', pod });
    return Promise.resolve();
  }

  onEdge(scope: string, listener: (edge: Edge) => void): () => void {
    const all = this.listeners.get(scope) ?? new Set();
    this.listeners.set(scope, all.add(listener));
    return () => all.delete(listener);
  }

  /** Forgets everything, as a Redis that restarted empty. */
  forget(): void {
    this.states.clear();
  }

  private tell(scope: string, edge: Edge): void {
    for (const listener of [...(this.listeners.get(scope) ?? [])]) listener(edge);
  }
}
