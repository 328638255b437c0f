import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PORTS, freePlatformPorts, startPlatform } from '@commservice/tools-stack';
import { runningTarget } from './running-target.js';

/** The platform under measurement. */
export interface Target {
  readonly kind: 'running' | 'started';
  readonly api: string;
  readonly sandbox: string;
  /** `host:port` of the broker. */
  readonly kafka: string;
  readonly redis: string;
  readonly postgres: string;
  /** Base URLs of the two sms pods. */
  readonly smsPods: readonly string[];
  /** Pid of ingest-api at this moment. */
  ingestPid(): number | undefined;
  stopBroker(): Promise<void>;
  startBroker(): Promise<void>;
  /** Stops what was started for this target; nothing when it ran before. */
  close(): Promise<void>;
}

/** The platform of `npm start` if it runs, else a fresh one on free ports with a folder of its own. */
export async function openTarget(): Promise<Target> {
  return (await isUp(`http://127.0.0.1:${PORTS['ingest-api'].port}`)) ? runningTarget() : startedTarget();
}

async function isUp(base: string): Promise<boolean> {
  try {
    return (await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

async function startedTarget(): Promise<Target> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'commservice-bench-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  console.log('No platform runs here: starting one of its own …');
  const handle = await startPlatform({
    ports: await freePlatformPorts(),
    dataDir,
    durability: 'kept',
    log: { say: (sentence) => console.log(sentence), line: () => undefined },
  });
  return {
    kind: 'started',
    ...handle.urls,
    smsPods: [handle.urls.apps['sms-1'], handle.urls.apps['sms-2']],
    ingestPid: () => handle.process('ingest-api').pid,
    stopBroker: () => handle.stopServer('kafka'),
    startBroker: () => handle.startServer('kafka'),
    close: () => handle.stop(),
  };
}
