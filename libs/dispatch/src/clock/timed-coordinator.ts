import type { Coordinator } from '@commservice/priority-mutex';
import type { PlatformClock } from './platform-clock.js';

/** The coordinator, every answer of which also tells the clock the platform's time. */
export function timedCoordinator(coordinator: Coordinator, clock: PlatformClock): Coordinator {
  return {
    async lease(request, deadlineMs) {
      const sentAtMs = clock.monotonic();
      const result = await coordinator.lease(request, deadlineMs);
      if (result.kind === 'answer') clock.sample(result.answer.nowMs, sentAtMs, clock.monotonic());
      return result;
    },
    leave: (scope, pod, deadlineMs) => coordinator.leave(scope, pod, deadlineMs),
    onEdge: (scope, listener) => coordinator.onEdge(scope, listener),
  };
}
