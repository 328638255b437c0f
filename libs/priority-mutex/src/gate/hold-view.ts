import type { Priority } from '@commservice/contracts';
import { classIndex } from '../coordinator/scope-state.js';
import type { Blocker } from '../scope-view.js';

interface Entry {
  readonly priority: Priority;
  readonly pod: string;
  untilMs: number;
}

/**
 * Which classes of which pods hold the lower ones back, as this pod knows it. One entry a class and pod, so that one
 * holder's end never frees another's. An entry is only ever extended and ends by its own expiry: there is no unlock that
 * could come late. Times are monotonic ms.
 */
export class HoldView {
  private readonly entries = new Map<string, Entry>();

  extend(priority: Priority, pod: string, untilMs: number): void {
    const key = `${priority}:${pod}`;
    const known = this.entries.get(key);
    if (!known) this.entries.set(key, { priority, pod, untilMs });
    else known.untilMs = Math.max(known.untilMs, untilMs);
  }

  /** When the last hold over `priority` ends; `nowMs` or earlier when it is free. All classes above count. */
  blockedUntil(priority: Priority, nowMs: number): number {
    let until = -Infinity;
    for (const [key, e] of this.entries) {
      if (e.untilMs <= nowMs) this.entries.delete(key);
      else if (classIndex(e.priority) < classIndex(priority)) until = Math.max(until, e.untilMs);
    }
    return until;
  }

  blockers(priority: Priority, nowMs: number): Blocker[] {
    return [...this.entries.values()]
      .filter((e) => e.untilMs > nowMs && classIndex(e.priority) < classIndex(priority))
      .map((e) => ({ priority: e.priority, pod: e.pod, remainingMs: e.untilMs - nowMs }));
  }
}
