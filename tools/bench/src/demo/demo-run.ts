import { setTimeout as delay } from 'node:timers/promises';
import { BenchFault } from '../fault.js';
import type { Target } from '../target/target.js';
import { blockedBy } from './lanes-feed.js';
import { Phase } from './phase.js';
import { SandboxFeed, type SeenCall } from './sandbox-feed.js';
import { Sender } from './sender.js';
import { Screen, tableOf } from './table.js';
import { verdictOf } from './verdict.js';

export interface DemoOptions {
  readonly idleSeconds: number;
  readonly floodSeconds: number;
  /** Promos that are queued at the start of the flood. */
  readonly backlog: number;
  readonly p1PerSecond: number;
  readonly p2PerSecond: number;
}

/** R of the development catalogue's sms account. */
const RATE = 200;
const ACCOUNT = 'sms-a';
const LOOK_MS = 500;
/** Calls of the first second after the backlog was queued fill the pipe and are not counted as use. */
const FILL_MS = 1_000;
/** How long the last messages may take to arrive. */
const TAIL_MS = 2_000;

/**
 * The demo on one sms account: idle, then the same P1 and P2 under a flood of P3. States: IDLE → FLOOD → OVER. The backlog
 * carries a ttl a little longer than the flood, so it does not linger.
 */
export class DemoRun {
  private readonly screen = new Screen(process.stdout);
  private readonly phases: Phase[] = [];
  private readonly sender: Sender;
  private countUseFromMs = Infinity;

  constructor(
    private readonly target: Target,
    private readonly feed: SandboxFeed,
    private readonly options: DemoOptions,
  ) {
    const ttl = `PT${Math.ceil(options.floodSeconds * 1.5 + 15)}S`;
    this.sender = new Sender(
      target.api,
      (priority, id, atMs) => this.current.classes[priority].took(id, atMs),
      ttl,
    );
  }

  static async open(target: Target, options: DemoOptions): Promise<DemoRun> {
    return new DemoRun(target, await SandboxFeed.open(target.sandbox, 'sms'), options);
  }

  /** Runs both phases and prints the verdict; resolves with whether it holds. */
  async run(): Promise<boolean> {
    const { idleSeconds, floodSeconds, backlog } = this.options;
    console.log(
      `sms, ${ACCOUNT}: R = ${RATE} units a second over ${this.target.smsPods.length} pods. P1 ${this.options.p1PerSecond}/s, P2 ${this.options.p2PerSecond}/s.\n`,
    );
    const idle = await this.phase('idle', idleSeconds, () => Promise.resolve());
    console.log(`Now ${backlog} promos are queued at once.\n`);
    const flood = await this.phase('flood', floodSeconds, async (signal) => {
      await this.sender.flood(backlog, signal);
      this.countUseFromMs = Date.now() + FILL_MS;
    });
    const { lines, holds } = verdictOf(idle, flood, {
      ratePerSecond: RATE,
      pods: this.target.smsPods.length,
      refused: this.sender.refused,
    });
    console.log(lines.join('\n'));
    return holds;
  }

  private get current(): Phase {
    const phase = this.phases.at(-1);
    if (!phase) throw new BenchFault('The demo has not begun.');
    return phase;
  }

  private async phase(
    name: 'idle' | 'flood',
    seconds: number,
    also: (signal: AbortSignal) => Promise<void>,
  ): Promise<Phase> {
    const phase = new Phase(name, RATE);
    this.phases.push(phase);
    const signal = AbortSignal.timeout(seconds * 1000);
    const drawing = this.drawUntil(signal);
    const { p1PerSecond, p2PerSecond } = this.options;
    await Promise.all([
      this.sender.steady('P1', p1PerSecond, signal),
      this.sender.steady('P2', p2PerSecond, signal),
      also(signal),
    ]);
    await drawing;
    const until = performance.now() + TAIL_MS;
    // promos may go on waiting; what was measured must have arrived
    while (phase.classes.P1.backlog + phase.classes.P2.backlog > 0 && performance.now() < until) {
      await delay(100);
      await this.look(false);
    }
    this.screen.leave();
    return phase;
  }

  private async drawUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(true);
      const blocked = await blockedBy(this.target.smsPods);
      this.screen.draw(tableOf(this.current, blocked));
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    await this.look(true);
  }

  private async look(counted: boolean): Promise<void> {
    for (const call of await this.feed.next()) {
      if (call.account !== ACCOUNT) continue;
      if (counted && call.atMs >= this.countUseFromMs) this.current.used(call);
      if (call.kind !== 'heartbeat') this.phaseOf(call).saw(call);
    }
  }

  /** Where the message was accepted; one of an earlier run, or whose 202 is on its way, counts now. */
  private phaseOf(call: SeenCall): Phase {
    return this.phases.find((phase) => phase.classes[call.priority].awaits(call.id)) ?? this.current;
  }
}
