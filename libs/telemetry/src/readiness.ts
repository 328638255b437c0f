import { setTimeout as delay } from 'node:timers/promises';
import { isError } from './serialize-error.js';

/** What one probe says. `detail` is a plain sentence that names no address, text or secret. */
export interface ReadinessCheck {
  readonly ok: boolean;
  readonly detail: string;
}

/** One thing a service needs before it may take work, for example its broker or its data keys. */
export interface ReadinessProbe {
  readonly name: string;
  /** Must answer from memory or within the deadline; a throw or no answer counts as not ok. */
  check(): ReadinessCheck | Promise<ReadinessCheck>;
}

export interface ReadinessReport {
  readonly status: 'ready' | 'not-ready';
  readonly checks: readonly ({ readonly name: string } & ReadinessCheck)[];
}

/** Longest wait for one probe, ms. */
const PROBE_DEADLINE_MS = 1_000;

/**
 * Whether the service may be given work. States: STARTING → SERVING → STOPPING; never back. Only SERVING with every
 * probe ok is ready. `runService` moves the state; the app's parts register probes; the health controller reports.
 */
export class Readiness {
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #probes = new Set<ReadinessProbe>();

  constructor(private readonly probeDeadlineMs = PROBE_DEADLINE_MS) {}

  /** Adds a probe. @returns removes it again */
  register(probe: ReadinessProbe): () => void {
    this.#probes.add(probe);
    return () => this.#probes.delete(probe);
  }

  /** Start-up is over: from now on the probes decide. */
  serving(): void {
    if (this.#state === 'starting') this.#state = 'serving';
  }

  /** Shutdown has begun: not ready from now on, whatever the probes say. */
  stopping(): void {
    this.#state = 'stopping';
  }

  /** Asks every probe at once. Never rejects. */
  async report(): Promise<ReadinessReport> {
    const probed = await Promise.all([...this.#probes].map((probe) => this.#ask(probe)));
    const checks = [{ name: 'service', ...this.#ownCheck() }, ...probed];
    return { status: checks.every((c) => c.ok) ? 'ready' : 'not-ready', checks };
  }

  #ownCheck(): ReadinessCheck {
    switch (this.#state) {
      case 'starting':
        return { ok: false, detail: 'The service is starting.' };
      case 'serving':
        return { ok: true, detail: 'The service is running.' };
      case 'stopping':
        return { ok: false, detail: 'The service is stopping.' };
    }
  }

  async #ask(probe: ReadinessProbe): Promise<{ name: string } & ReadinessCheck> {
    const late = new AbortController();
    const timeout = delay(this.probeDeadlineMs, undefined, { ref: false, signal: late.signal }).then(
      () => ({ ok: false, detail: `No answer within ${this.probeDeadlineMs} ms.` }),
      () => ({ ok: false, detail: 'Not asked.' }),
    );
    try {
      const answer = Promise.resolve().then(() => probe.check());
      const { ok, detail } = await Promise.race([answer, timeout]);
      return { name: probe.name, ok, detail };
    } catch (error) {
      return {
        name: probe.name,
        ok: false,
        detail: `The check failed (${isError(error) ? error.name : 'thrown value'}).`,
      };
    } finally {
      late.abort();
    }
  }
}
