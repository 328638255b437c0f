import type { Logger } from './logger.js';

/** Work to be done before the process ends. `signal` aborts when the deadline has passed. */
export type StopHook = (signal: AbortSignal) => void | Promise<void>;

/**
 * When a hook runs. `stop`: stop taking work and settle what is in the air, while HTTP still answers. `release`: close
 * connections, after HTTP is closed and nothing can need them any more.
 */
export type StopPhase = 'stop' | 'release';

export type StopResult =
  | { readonly kind: 'stopped'; readonly failed: readonly string[] }
  | { readonly kind: 'deadline-exceeded'; readonly step: string };

interface Step {
  readonly name: string;
  readonly run: StopHook;
}

/**
 * The ordered end of a service. States: OPEN (hooks may be added) → RUNNING → DONE. Within a phase, hooks run one after
 * another, last added first: what was built later is stopped first, because it stands on what was built earlier. A
 * hook that throws is logged and does not keep the others from running. Called by `runService`.
 */
export class Shutdown {
  readonly #hooks: Record<StopPhase, Step[]> = { stop: [], release: [] };
  #running: Promise<StopResult> | undefined;

  constructor(private readonly logger: Logger) {}

  /** Adds a hook. Once shutdown runs, it is too late, and the call does nothing. */
  add(phase: StopPhase, name: string, run: StopHook): void {
    this.#hooks[phase].unshift({ name, run });
  }

  get begun(): boolean {
    return this.#running !== undefined;
  }

  /** Runs everything once; later calls get the same result. `closeHttp` runs between the phases. */
  run(deadlineMs: number, closeHttp: StopHook): Promise<StopResult> {
    const { stop, release } = this.#hooks;
    this.#running ??= this.#runSteps([...stop, { name: 'http', run: closeHttp }, ...release], deadlineMs);
    return this.#running;
  }

  async #runSteps(steps: readonly Step[], deadlineMs: number): Promise<StopResult> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    const failed: string[] = [];
    try {
      for (const step of steps) {
        const ended = await this.#runStep(step, deadline.signal);
        if (ended === 'late') return { kind: 'deadline-exceeded', step: step.name };
        if (ended === 'failed') failed.push(step.name);
      }
      return { kind: 'stopped', failed };
    } finally {
      clearTimeout(timer);
    }
  }

  async #runStep(step: Step, signal: AbortSignal): Promise<'ok' | 'failed' | 'late'> {
    if (signal.aborted) return 'late';
    const late = new Promise<'late'>((resolve) => {
      signal.addEventListener('abort', () => resolve('late'), { once: true });
    });
    const work = Promise.resolve()
      .then(() => step.run(signal))
      .then(
        () => 'ok' as const,
        (error: unknown) => {
          this.logger.error({ err: error, step: step.name }, 'a step of the shutdown failed; going on');
          return 'failed' as const;
        },
      );
    return Promise.race([work, late]);
  }
}
