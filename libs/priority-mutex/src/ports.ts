import type { Metrics } from '@commservice/telemetry';

/** What the scope logs through; `Logger` of telemetry fits. */
export interface MutexLogger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The counters a scope records; `Metrics` of telemetry fits. */
export type MutexMetrics = Pick<
  Metrics,
  | 'tokensGranted'
  | 'tokensBorrowed'
  | 'tokensUsed'
  | 'tokensLapsed'
  | 'tokensReturned'
  | 'gateClosings'
  | 'leaseCalls'
  | 'leaseDuration'
>;

/** One-shot timers, injected so that models run on virtual time. */
export interface Timers {
  /** Runs `callback` after `delayMs`; returns its cancellation. Must not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemTimers: Timers = {
  after(delayMs, callback) {
    // Node cuts fractions off: rounding up never fires before the time asked for.
    const timer = setTimeout(callback, Math.ceil(delayMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
