import { setTimeout as delay } from 'node:timers/promises';
import { ManagedProcess, type ProcessFolders, type ProcessSpec } from '../process/managed-process.js';
import { RECOVERED_AFTER_MS, restartDelayMs } from './back-off.js';
import type { PlatformLog } from './options.js';

/** Work before each start, for example a server's configuration file. */
type Prepare = () => Promise<void>;

/**
 * A process that is kept running. States: IDLE → STARTING → UP → IDLE; UP → WAITING (it died) → UP; any → IDLE by
 * `stop` or `kill`. With `autoRestart` off, UP → IDLE when it dies.
 * Invariant: after `stop` or `kill` nothing starts it but `start`. Caller: Platform.
 */
export class Supervised {
  readonly process: ManagedProcess;
  private readonly env: NodeJS.ProcessEnv;
  private wanted = false;
  private failures = 0;
  private upSince = 0;
  private waiting: AbortController | undefined;

  constructor(
    private readonly spec: ProcessSpec,
    folders: ProcessFolders,
    private readonly options: { autoRestart: boolean; log: PlatformLog; prepare?: Prepare },
  ) {
    this.env = { ...spec.env };
    this.process = new ManagedProcess({ ...spec, env: this.env }, folders, {
      line: (line) => options.log.line(spec.name, line),
      died: (how) => this.died(how),
    });
  }

  /**
   * Starts it and waits until it is ready; rejects with a StackFault when it is not.
   * @param more environment on top of its own, for this start and those by itself that follow
   */
  async start(more: NodeJS.ProcessEnv = {}): Promise<void> {
    this.setEnvironment(more);
    await this.options.prepare?.();
    await this.process.start();
    this.up();
  }

  /** Starts it without waiting for it to be ready. */
  async launch(more: NodeJS.ProcessEnv = {}): Promise<void> {
    this.setEnvironment(more);
    await this.options.prepare?.();
    void this.process.launch();
    this.up();
  }

  async stop(): Promise<void> {
    this.giveUp();
    await this.process.stop();
  }

  /** Sends a signal; with SIGKILL waits for the end. A kill is a crash to the platform: `autoRestart` holds. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    if (signal === 'SIGKILL' && !this.options.autoRestart) return this.process.kill();
    this.process.signal(signal);
  }

  private setEnvironment(more: NodeJS.ProcessEnv): void {
    for (const name of Object.keys(this.env)) delete this.env[name];
    Object.assign(this.env, this.spec.env, more);
  }

  private up(): void {
    this.wanted = true;
    this.upSince = performance.now();
  }

  private giveUp(): void {
    this.wanted = false;
    this.waiting?.abort();
  }

  private died(how: string): void {
    if (!this.wanted) return; // `start` reports a death during the first start
    const recovered = performance.now() - this.upSince > RECOVERED_AFTER_MS;
    this.failures = recovered ? 1 : this.failures + 1;
    if (!this.options.autoRestart) return this.options.log.say(`${this.process.name} ${how}.`);
    const pauseMs = restartDelayMs(this.failures);
    this.options.log.say(`${this.process.name} ${how} unexpectedly; it starts again in ${pauseMs / 1000} s.`);
    void this.restartAfter(pauseMs);
  }

  /** Does not wait for readiness: a process that waits for a server to come back is left in peace. */
  private async restartAfter(pauseMs: number): Promise<void> {
    this.waiting = new AbortController();
    try {
      await delay(pauseMs, undefined, { signal: this.waiting.signal });
      await this.options.prepare?.();
      if (!this.wanted) return;
      this.upSince = performance.now();
      void this.process.launch();
    } catch (error) {
      if (this.wanted) this.died(`could not be started again (${(error as Error).message})`);
    }
  }
}
