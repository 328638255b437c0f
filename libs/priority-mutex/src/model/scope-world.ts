import type { ByClass, LeaseAnswer } from '../coordinator/coordinator.js';
import type { ScopeState } from '../coordinator/scope-state.js';
import type { ModelCoordinator } from './fleet.js';
import { PodModel, type Ask } from './pod-model.js';
import { ScopeRules } from './scope-rules.js';

/** How the partitions of each class are divided among the pods of a plan. */
export type Split = 'equal' | 'P1 apart' | 'one pod';
const third = { P1: 1 / 3, P2: 1 / 3, P3: 1 / 3 };
const lower = { P1: 0, P2: 1 / 2, P3: 1 / 2 };
const SPLITS: Record<Split, readonly ByClass<number>[]> = {
  equal: [third, third, third],
  'P1 apart': [{ P1: 1, P2: 0, P3: 0 }, lower, lower],
  'one pod': [
    { P1: 1, P2: 1, P3: 1 },
    { P1: 0, P2: 0, P3: 0 },
    { P1: 0, P2: 0, P3: 0 },
  ],
};

/** What a coordinator in memory has written down: the slots held of its present grid. */
export function books(c: ModelCoordinator): { run: string; grid: number; slots: number[] } {
  const s = (c as unknown as { states: Map<string, ScopeState> }).states.get('sms-a') as ScopeState;
  return { run: s.run, grid: s.grid, slots: s.owners.flatMap((o, i) => (o === 0 ? [] : [s.base + i])) };
}

/** The subject: a coordinator, its clock and three pods that keep their own part of the agreement. */
export class ScopeWorld {
  nowMs = 0;
  /** How far the coordinator's clock is ahead of the model's. */
  offsetMs = 1_700_000_000_000;
  readonly rules = new ScopeRules();
  readonly pods: PodModel[];
  readonly coordinator: ModelCoordinator;
  private names = 0;
  /** R as the coordinator counts it. */
  private countedRate: number;

  constructor(
    private readonly ratePerSecond: number,
    private readonly split: Split,
    make: (nowMs: () => number, pod: () => string) => ModelCoordinator,
    private readonly look?: typeof books,
  ) {
    this.coordinator = make(
      () => this.nowMs + this.offsetMs,
      () => this.caller,
    );
    this.countedRate = ratePerSecond;
    this.rules.noteLimit(ratePerSecond, -Infinity, false);
    this.pods = SPLITS[split].map((_, i) => this.newPod(i));
  }

  /** Name of the pod that calls. */
  caller = '';

  newPod(i: number): PodModel {
    const ownership = SPLITS[this.split][i] as ByClass<number>;
    return new PodModel(
      `pod-${i}-${this.names++}`,
      ownership,
      this.ratePerSecond,
      this.nowMs,
      this.split === 'equal',
    );
  }

  pod(i: number): PodModel {
    return this.pods[i] as PodModel;
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const p of this.pods) p.advance(this.nowMs, (at) => this.rules.started(at));
    this.rules.checkStarts(this.nowMs);
  }

  async lease(i: number, ask: Ask, way: 'answered' | 'answer lost' | 'call lost'): Promise<void> {
    const pod = this.pod(i);
    const request = pod.request(ask, this.nowMs);
    if (way !== 'call lost') {
      this.caller = pod.name;
      const result = await this.coordinator.lease(request, 1000);
      if (result.kind === 'no-answer') throw new Error(`the coordinator said ${result.reason}`);
      this.rules.answered(request, result.answer);
      this.countedRate = result.answer.ratePerSecond;
      if (way === 'answered') pod.answered(result.answer, ask, this.nowMs, this.offsetMs);
      this.checkBooks(result.answer);
    }
    if (way !== 'answered') pod.unanswered(ask, this.nowMs);
    this.noteLimit();
  }

  /** A pod that is alone goes by the R that it knows itself. */
  private noteLimit(): void {
    const own = this.pods.filter((p) => p.alone).map((p) => p.loneRate);
    this.rules.noteLimit(Math.max(this.countedRate, ...own), this.nowMs, own.length > 0);
  }

  async leave(i: number): Promise<void> {
    const { name } = this.pod(i);
    await this.coordinator.leave('sms-a', name, 1000);
    this.rules.left(name);
    this.pods[i] = this.newPod(i);
  }

  private checkBooks(a: LeaseAnswer): void {
    if (this.look) this.rules.checkBooks({ ...this.look(this.coordinator), run: a.run });
  }
}
