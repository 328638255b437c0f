import type { StopStep } from '../process/stop.js';

/** SIGINT: fast shutdown, open connections are ended. SIGQUIT: at once; it recovers at the next start. */
export const POSTGRES_STOP: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
