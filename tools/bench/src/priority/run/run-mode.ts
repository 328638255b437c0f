import { setTimeout as delay } from 'node:timers/promises';
import { SandboxFeed } from '../../demo/sandbox-feed.js';
import { BenchFault } from '../../fault.js';
import { cpuSeconds } from '../../process-stat.js';
import { modeFigures, type LoggedCall, type ModeFigures, type Observed } from '../figures/mode-figures.js';
import { isOwn } from '../mode.js';
import type { PriorityOptions } from '../priority-options.js';
import type { PlannedRun } from '../priority-plan.js';
import { arrivals, type Arrival } from '../workload/arrivals.js';
import { epochMs, type PhaseName } from '../workload/message-log.js';
import { Sender } from '../workload/sender.js';
import { startModePlatform, type ModePlatform } from './mode-platform.js';
import { openOwnSubject } from './own-subject.js';
import { openPeerSubject } from './peer-subject.js';
import { commandsBetween, RedisCommands, type CommandCounts } from './redis-commands.js';
import type { PodMetrics, Subject } from './subject.js';

/** Every mode and phase gets the same arrivals. */
const SEED = 2_026;
/** Connections, compiled code and the first index entry of each partition: paid before anything is measured. */
const WARM_UP = { seconds: 3, perSecond: { P1: 40, P2: 20, P3: 20 } };
const WARM_UP_DEADLINE_MS = 60_000;
/** After the warm-up, and after the backlog was written, until every slot is full. */
const SETTLE_MS = 1_000;
/** How long the last P1 and P2 of a phase may take; those of a burst have as long again as it takes at R. */
const TAIL_MS = 10_000;
const LOOK_MS = 250;

/**
 * One mode from its fresh start to its figures. States: warm-up → idle → flood → (burst) → over. The sandbox's log is read only
 * between phases, so that reading it disturbs nothing. Caller: `runMode`.
 */
class ModeRun {
  private readonly calls: LoggedCall[] = [];
  private readonly called = new Set<string>();

  constructor(
    private readonly subject: Subject,
    private readonly sender: Sender,
    private readonly feed: SandboxFeed,
    private readonly redis: RedisCommands,
    private readonly options: PriorityOptions,
    private readonly say: (sentence: string) => void,
  ) {}

  async run(): Promise<ModeFigures> {
    await this.warmUp();
    const { seconds, backlog, ratePerSecond, p1PerSecond, p2PerSecond } = this.options;
    const schedule = arrivals(SEED, { P1: p1PerSecond, P2: p2PerSecond }, seconds);
    this.say(`idle for ${seconds} s: ${p1PerSecond} P1/s, ${p2PerSecond} P2/s`);
    await this.sender.play('idle', schedule);
    await this.tail('idle', TAIL_MS);
    const from = performance.now();
    await this.sender.backlog(backlog);
    this.say(
      `flood for ${seconds} s; ${backlog} P3 were written in ${((performance.now() - from) / 1000).toFixed(1)} s`,
    );
    await delay(SETTLE_MS);
    const seen = await this.flood(schedule);
    await this.tail('flood', TAIL_MS);
    if (this.options.burst > 0) await this.burst();
    const observed: Observed = { sent: this.sender.sent, calls: this.calls, endMs: epochMs(), ...seen };
    return modeFigures(observed, { ratePerSecond, pods: this.options.pods });
  }

  private async warmUp(): Promise<void> {
    const { seconds, perSecond } = WARM_UP;
    // never more than half of a low R
    const scale = Math.min(1, this.options.ratePerSecond / 160);
    const scaled = { P1: perSecond.P1 * scale, P2: perSecond.P2 * scale, P3: perSecond.P3 * scale };
    await this.sender.play('warm-up', arrivals(SEED + 1, scaled, seconds));
    const waiting = await this.tail('warm-up', WARM_UP_DEADLINE_MS);
    if (waiting > 0)
      throw new BenchFault(`${waiting} messages of the warm-up were not sent within a minute.`);
    await delay(SETTLE_MS);
  }

  /** The flood itself, with what the dispatchers used meanwhile. */
  private async flood(schedule: readonly Arrival[]): Promise<Pick<Observed, 'flood' | 'counts'>> {
    const before = await this.usage();
    const fromMs = epochMs();
    const lengthMs = this.options.seconds * 1000;
    await Promise.all([this.sender.play('flood', schedule), delay(lengthMs)]);
    const after = await this.usage();
    const counts = {
      cpuSeconds: after.cpu - before.cpu,
      redisCommands: commandsBetween(before.redis, after.redis),
      ...(after.pods && before.pods
        ? { pods: { ...after.pods, leaseCalls: after.pods.leaseCalls - before.pods.leaseCalls } }
        : {}),
    };
    return { flood: { fromMs, toMs: fromMs + lengthMs }, counts };
  }

  private async usage(): Promise<{ cpu: number; redis: CommandCounts; pods: PodMetrics | undefined }> {
    const pods = await this.subject.metrics();
    return { cpu: this.cpu(), redis: await this.redis.read(), pods };
  }

  private async burst(): Promise<void> {
    const { burst, ratePerSecond } = this.options;
    this.say(`${burst} P1 at once`);
    await this.sender.burst(burst);
    const leastMs = (1_000 * burst) / ratePerSecond;
    await delay(leastMs);
    await this.tail('burst', leastMs + TAIL_MS);
  }

  /** Looks until every P1 and P2 of the phase was called or the time is over; how many were not. */
  private async tail(phase: PhaseName, deadlineMs: number): Promise<number> {
    const open = new Set(
      this.sender.sent.filter((s) => s.phase === phase && s.priority !== 'P3').map((s) => s.id),
    );
    const until = performance.now() + deadlineMs;
    for (;;) {
      await this.look();
      for (const id of open) if (this.called.has(id)) open.delete(id);
      if (open.size === 0 || performance.now() > until) return open.size;
      this.subject.pids(); // a dispatcher that died is a fault, not a slow one
      await delay(LOOK_MS);
    }
  }

  private async look(): Promise<void> {
    for (const call of (await this.feed.next()) as LoggedCall[]) {
      this.calls.push(call);
      if (call.outcome === 'accepted') this.called.add(call.id);
    }
  }

  private cpu(): number {
    return this.subject.pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }
}

async function measure(
  { mode, options }: PlannedRun,
  platform: ModePlatform,
  say: (sentence: string) => void,
): Promise<ModeFigures> {
  const subject = isOwn(mode)
    ? await openOwnSubject(platform)
    : await openPeerSubject(mode, platform, options);
  const sender = new Sender((priority) => subject.compose(priority));
  const redis = new RedisCommands(platform.urls.redis);
  try {
    const feed = await SandboxFeed.open(platform.urls.sandbox, 'sms');
    return await new ModeRun(subject, sender, feed, redis, options, say).run();
  } finally {
    redis.close();
    await subject.close();
  }
}

/** Starts everything that a mode needs, measures it, and stops everything again. */
export async function runMode(run: PlannedRun): Promise<ModeFigures> {
  const { label, mode, options } = run;
  const say = (sentence: string): void => console.log(`[${label}] ${sentence}`);
  say('starting servers and dispatchers');
  const platform = await startModePlatform(mode, options);
  try {
    return await measure(run, platform, say);
  } finally {
    await platform.close();
  }
}
