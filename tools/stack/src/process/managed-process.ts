import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { StackFault } from '../fault.js';
import { identify, type ProcessIdentity } from './identity.js';
import { LineLog, lastLines, openLog } from './log-file.js';
import { removePidFile, writePidFile } from './pid-file.js';
import { setNiceness } from './niceness.js';
import { stopProcess, type StopStep } from './stop.js';

/** How to run one program of the platform. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /**
   * -20 to 19, default 0; below 0 where permitted. On one small machine the read model must not take the processor from
   * the path of a one-time code.
   */
  readonly niceness?: number;
  /** User to run as; absent = ours. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** `file`: writes its log file itself and outlives us. `lines`: every line also goes to `events.line`. */
  readonly output: 'file' | 'lines';
  /** Whether it does its work now. Asked again and again; never rejects. */
  readonly ready: () => Promise<boolean>;
  /** Longest wait for `ready` after the start. */
  readonly startDeadlineMs: number;
  readonly stop: readonly StopStep[];
}

export interface ProcessEvents {
  readonly line?: (line: string) => void;
  /** It ended without being told to. `how` reads like "ended with code 1". */
  readonly died?: (how: string) => void;
}

export interface ProcessFolders {
  readonly pids: string;
  readonly logs: string;
}

const READY_POLL_MS = 50;
/** Log lines that a fault quotes. */
const QUOTED_LINES = 12;

/** What still runs when our own process ends without having stopped it (a crash, process.exit) ends with it. */
const killAtExit = new Set<ManagedProcess>();
process.once('exit', () => {
  for (const managed of killAtExit) managed.signal('SIGKILL');
});

/**
 * One program of the platform, run as a process group of its own, so that Ctrl-C reaches it only through us.
 * States: STOPPED → STARTING → RUNNING → STOPPING → STOPPED; STARTING and RUNNING → STOPPED when it dies.
 * Invariant: while a process runs, its pid file names it (name, pid, start time). Callers: servers, apps, testkit.
 */
export class ManagedProcess {
  private child: ChildProcess | undefined;
  private current: ProcessIdentity | undefined;
  private ending: Promise<string> | undefined;
  private stopping = false;

  constructor(
    readonly spec: ProcessSpec,
    private readonly folders: ProcessFolders,
    private readonly events: ProcessEvents = {},
  ) {}

  get name(): string {
    return this.spec.name;
  }

  /** Pid of the running process, if there is one. */
  get pid(): number | undefined {
    return this.current?.pid;
  }

  get identity(): ProcessIdentity | undefined {
    return this.current;
  }

  get logFile(): string {
    return path.join(this.folders.logs, `${this.spec.name}.log`);
  }

  /** Starts it and waits until it is ready. Rejects with a StackFault that quotes its last lines when it dies or is late. */
  async start(): Promise<void> {
    const logFrom = existsSync(this.logFile) ? statSync(this.logFile).size : 0;
    const ended = this.launch();
    const until = performance.now() + this.spec.startDeadlineMs;
    for (;;) {
      const died = await Promise.race([ended, delay(READY_POLL_MS, undefined)]);
      if (died !== undefined) throw this.startFault(`${this.name} ${died} while it started`, logFrom);
      if (await this.spec.ready()) return;
      if (performance.now() > until) {
        await this.stop();
        throw this.startFault(
          `${this.name} was not ready after ${this.spec.startDeadlineMs / 1000} s`,
          logFrom,
        );
      }
    }
  }

  /** Starts it without waiting; resolves when it ends, with how it ended. */
  launch(): Promise<string> {
    if (this.current) throw new Error(`${this.name} runs already`);
    const child = this.spawn();
    this.child = child;
    this.stopping = false;
    this.current = child.pid === undefined ? undefined : identify(child.pid);
    if (this.current) writePidFile(this.folders.pids, this.name, this.current);
    killAtExit.add(this);
    this.ending = this.watch(child);
    return this.ending;
  }

  /** Sends a signal to the running process; nothing happens when there is none. */
  signal(signal: NodeJS.Signals): void {
    if (this.current) process.kill(this.current.pid, signal);
  }

  /** Stops it by its steps and waits for its end. Nothing happens when it does not run. */
  async stop(steps: readonly StopStep[] = this.spec.stop): Promise<void> {
    if (!this.current) return;
    this.stopping = true;
    await stopProcess(this.current, steps);
    await this.ending;
  }

  /** Ends it at once with SIGKILL, as a crash would; not reported as a death. */
  async kill(): Promise<void> {
    await this.stop([{ signal: 'SIGKILL', waitMs: 5_000 }]);
  }

  /** Lets our own process end while this one goes on. Only for `output: 'file'`. */
  release(): void {
    killAtExit.delete(this);
    this.child?.unref();
  }

  private spawn(): ChildProcess {
    const { command, args, env, cwd, user, output, niceness = 0 } = this.spec;
    const log = output === 'file' ? openLog(this.logFile) : undefined;
    const out = log ?? 'pipe';
    const child = spawn(command, args, { env, cwd, ...user, detached: true, stdio: ['ignore', out, out] });
    if (log !== undefined) closeSync(log);
    if (child.pid !== undefined) setNiceness(child.pid, niceness);
    return child;
  }

  private watch(child: ChildProcess): Promise<string> {
    const log = child.stdout ? new LineLog(this.logFile) : undefined;
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        log?.write(line);
        this.events.line?.(line);
      });
    }
    return new Promise((resolve) => {
      const end = (how: string): void => {
        log?.close();
        const told = this.stopping;
        this.child = this.current = undefined;
        killAtExit.delete(this);
        removePidFile(this.folders.pids, this.name);
        resolve(how);
        if (!told) this.events.died?.(how);
      };
      child.once('error', (error) => end(`could not be started: ${error.message}`));
      // 'close' comes after the last line was read
      child.once('close', (code, signal) =>
        end(signal ? `was ended by ${signal}` : `ended with code ${code}`),
      );
    });
  }

  private startFault(what: string, logFrom: number): StackFault {
    const lines = lastLines(this.logFile, QUOTED_LINES, logFrom);
    return new StackFault(`${what}; its whole log is ${this.logFile}.`, { process: this.name, lines });
  }
}
