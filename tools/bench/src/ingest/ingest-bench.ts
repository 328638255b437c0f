import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { counterOf } from '@commservice/testkit';
import { writeResult } from '../results/write-result.js';
import type { Target } from '../target/target.js';
import { LaneIds } from './lane-ids.js';
import { Load } from './load.js';
import { MemoryWatch } from './memory-watch.js';
import { ingestResult, type Outage } from './ingest-result.js';

export interface IngestBenchOptions {
  readonly clients: number;
  readonly seconds: number;
  /** How long the broker is stopped in the middle; 0 = not at all. */
  readonly brokerStopSeconds: number;
}

/** Sum of the records whose acknowledgement was lost, by ingest-api's own count. */
async function lostAcks(api: string): Promise<number> {
  const text = await (await fetch(`${api}/metrics`)).text();
  return counterOf(text, 'commservice_produce_records_total', 'result="unknown"', 'topic_kind="lane"');
}

/** Stops the broker in the middle of the run and starts it again. */
async function outage(
  target: Target,
  { seconds, brokerStopSeconds }: IngestBenchOptions,
): Promise<Outage | undefined> {
  if (brokerStopSeconds === 0) return undefined;
  await delay(Math.max(1, (seconds - brokerStopSeconds) / 2) * 1000);
  console.log('stopping the broker');
  await target.stopBroker();
  const stoppedAt = performance.now();
  await delay(brokerStopSeconds * 1000);
  await target.startBroker();
  const startedAt = performance.now();
  console.log(`the broker is back after ${((startedAt - stoppedAt) / 1000).toFixed(1)} s`);
  return { stoppedAt, startedAt };
}

/** `npm run bench -- ingest`: the API under many clients, and whether every 202 is on its topic. */
export async function ingestBench(target: Target, options: IngestBenchOptions): Promise<boolean> {
  const reference = `bench-${randomBytes(4).toString('hex')}`;
  const lanes = await LaneIds.from(target.kafka);
  const pid = target.ingestPid();
  const memory = pid === undefined ? undefined : new MemoryWatch(pid);
  const lostBefore = await lostAcks(target.api);
  const from = performance.now();
  const [load, broken] = await Promise.all([
    new Load({ api: target.api, clients: options.clients, seconds: options.seconds, reference }).run(),
    outage(target, options),
  ]);
  const elapsedS = (performance.now() - from) / 1000;
  const samples = memory?.stop() ?? [];
  const lost = (await lostAcks(target.api)) - lostBefore;
  const written = await lanes.read(reference);
  const restarted = target.ingestPid() !== pid;
  return writeResult(
    ingestResult({ options, load, outage: broken, from, elapsedS, samples, lost, written, restarted }),
  );
}
