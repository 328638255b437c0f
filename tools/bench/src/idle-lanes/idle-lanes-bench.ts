import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@commservice/testkit';
import { freePlatformPorts, startPlatform, REPO_ROOT } from '@commservice/tools-stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { BenchFault } from '../fault.js';
import { cpuSeconds, residentBytes, wakeups } from '../process-stat.js';
import { writeResult } from '../results/write-result.js';

export interface IdleLanesOptions {
  /** How long is measured. */
  readonly seconds: number;
}

/** Twelve lanes and the retry lane of each. */
const CONSUMERS = 24;
const MOST_CPU = 0.1;
/** Joining, warming and the first commits are over by then. */
const SETTLE_MS = 5_000;

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface Servers {
  readonly kafka: string;
  readonly redis: string;
  readonly postgres: string;
  readonly sandbox: string;
}

/** `npm run bench -- idle-lanes`: what twelve lanes cost that have nothing to do. */
export async function idleLanesBench({ seconds }: IdleLanesOptions): Promise<boolean> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'commservice-bench-'));
  const platform = await startPlatform({
    ports: await freePlatformPorts(),
    dataDir,
    apps: [],
    log: { say: (sentence) => console.log(sentence), line: () => undefined },
  });
  const child = startLanes(platform.urls);
  try {
    await allReady(child);
    await delay(SETTLE_MS);
    const found = await measure(child.pid as number, seconds);
    return writeResult(resultOf(found, seconds));
  } finally {
    child.kill('SIGKILL');
    await platform.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startLanes({ kafka, redis, postgres, sandbox }: Servers): Child {
  const main = path.join(__dirname, 'lanes-process.js');
  return spawn(process.execPath, [main, kafka, redis, postgres, sandbox], {
    cwd: REPO_ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function allReady(child: Child): Promise<void> {
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until(() => said.includes('ready') || child.exitCode !== null, {
    deadlineMs: 60_000,
    describe: 'twelve lanes are ready',
  });
  if (!said.includes(`ready ${CONSUMERS}`))
    throw new BenchFault(`The lanes did not start: ${said || 'their process ended'}`);
}

interface Found {
  readonly cpu: number;
  readonly wakeupsPerSecond: number;
  readonly memoryMib: number;
}

async function measure(pid: number, seconds: number): Promise<Found> {
  console.log(`${CONSUMERS} consumers are ready; measuring for ${seconds} s …`);
  const [cpu, woken, from] = [cpuSeconds(pid), wakeups(pid), performance.now()];
  await delay(seconds * 1000);
  const elapsedS = (performance.now() - from) / 1000;
  return {
    cpu: (cpuSeconds(pid) - cpu) / elapsedS,
    wakeupsPerSecond: (wakeups(pid) - woken) / elapsedS,
    memoryMib: Math.round((residentBytes(pid) ?? NaN) / 2 ** 20),
  };
}

function resultOf(found: Found, seconds: number) {
  const percent = (found.cpu * 100).toFixed(1);
  return {
    name: 'idle-lanes',
    title: `Twelve idle lanes with their retry lanes in one process, ${seconds} s`,
    figures: found,
    rows: [
      ['processor time', `${percent} % of a core`],
      ['threads woken', `${found.wakeupsPerSecond.toFixed(0)} a second`],
      ['memory', `${found.memoryMib} MiB`],
    ] as const,
    checks: [{ ok: found.cpu < MOST_CPU, text: `${percent} % of a core, less than ${MOST_CPU * 100} %` }],
  };
}
