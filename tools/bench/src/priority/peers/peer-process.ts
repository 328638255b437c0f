import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { until } from '@commservice/testkit';
import { REPO_ROOT } from '@commservice/tools-stack';
import { BenchFault } from '../../fault.js';
import type { PeerSettings } from './peer-settings.js';

const READY_MS = 60_000;
const ENDED_MS = 5_000;

/**
 * One peer as a process of its own. States: started → ready → ended. It ends with us: by `stop`, at our exit, and when its
 * input ends, should we be killed. Caller: the subject of a peer's mode.
 */
export class PeerProcess {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private said = '';
  private readonly killAtExit = (): void => void this.child.kill('SIGKILL');

  constructor(private readonly settings: PeerSettings) {
    const main = path.join(__dirname, 'peer-main.js');
    this.child = spawn(process.execPath, [main, JSON.stringify(settings)], {
      cwd: REPO_ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    process.once('exit', this.killAtExit);
  }

  /** Resolves when all its consumers have joined their groups. */
  async ready(): Promise<void> {
    const describe = `${this.settings.pod} of ${this.settings.mode} to be ready`;
    await until(() => this.said.includes('ready') || this.ended, { deadlineMs: READY_MS, describe });
    this.pid();
  }

  /** Throws a BenchFault when it has ended. */
  pid(): number {
    if (this.ended || this.child.pid === undefined)
      throw new BenchFault(`${this.settings.pod} of ${this.settings.mode} has ended.`);
    return this.child.pid;
  }

  /** Ends it at once: nothing of a peer needs to survive. */
  async stop(): Promise<void> {
    process.removeListener('exit', this.killAtExit);
    this.child.kill('SIGKILL');
    const describe = `${this.settings.pod} of ${this.settings.mode} to end`;
    await until(() => this.ended, { deadlineMs: ENDED_MS, describe });
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
