import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  DEVELOPMENT_CATALOGUE,
  freePlatformPorts,
  startPlatform,
  type PlatformHandle,
} from '@commservice/tools-stack';
import { BenchFault } from '../../fault.js';
import { isOwn, type Mode } from '../mode.js';
import type { PriorityOptions } from '../priority-options.js';

/** The account that is measured: the development catalogue's sms account. */
export const ACCOUNT = 'sms-a';
const PODS = ['sms-1', 'sms-2', 'sms-3', 'sms-4'] as const;
export type PodName = (typeof PODS)[number];
/** With P1 in pods of its own, the first half of the pods is P1's. */
const OWN_LANES = { P1: 'sms:P1', others: 'sms:P2,sms:P3' } as const;

/** Servers and sandbox of one mode, fresh and on free ports; our own dispatchers too where the mode is ours. */
export interface ModePlatform extends PlatformHandle {
  /** Removed with everything in it by `close`. */
  readonly dataDir: string;
  readonly catalogueFile: string;
  readonly podNames: readonly PodName[];
  /** Stops everything and removes the data. */
  close(): Promise<void>;
}

function replaced(text: string, what: string | RegExp, by: string): string {
  const changed = text.replace(what, by);
  if (changed === text && !text.includes(by))
    throw new BenchFault(`The development catalogue has no ${String(what)} to set.`);
  return changed;
}

/** The development catalogue at this R and mutex mode. P1 has no second account: every mode has one contract to live on. */
export function catalogueText(
  development: string,
  mode: Mode,
  { ratePerSecond, latencyMs }: PriorityOptions,
): string {
  const inFlight = Math.max(200, Math.ceil((4 * ratePerSecond * latencyMs) / 1000));
  let text = development;
  if (isOwn(mode)) text = replaced(text, /mutex: \{ default: \w+ \}/, `mutex: { default: ${mode} }`);
  text = replaced(text, 'p1Failover: [sms-b]', 'p1Failover: []');
  text = replaced(text, /ratePerSecond: 200,/, `ratePerSecond: ${ratePerSecond},`);
  return replaced(text, /inFlight: 200,/, `inFlight: ${inFlight},`);
}

/** The environment of each pod: which lanes it runs. */
export function lanesOf({
  pods,
  layout,
}: Pick<PriorityOptions, 'pods' | 'layout'>): Partial<Record<PodName, { LANES: string }>> {
  if (layout === 'one') return {};
  const names = PODS.slice(0, pods);
  return Object.fromEntries(
    names.map((pod, i) => [pod, { LANES: i < pods / 2 ? OWN_LANES.P1 : OWN_LANES.others }]),
  );
}

async function configureSandbox(sandbox: string, options: PriorityOptions): Promise<void> {
  const { ratePerSecond, latencyMs } = options;
  const response = await fetch(`${sandbox}/control/config`, {
    method: 'PUT',
    body: JSON.stringify({ [ACCOUNT]: { ratePerSecond, latencyMs, idempotent: true } }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new BenchFault(`The sandbox refused its configuration: ${response.status}.`);
}

/** Starts what one mode needs. Rejects, with nothing left running, when a part cannot start. */
export async function startModePlatform(mode: Mode, options: PriorityOptions): Promise<ModePlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'commservice-bench-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const catalogueFile = path.join(dataDir, 'catalogue.yaml');
  writeFileSync(catalogueFile, catalogueText(readFileSync(DEVELOPMENT_CATALOGUE, 'utf8'), mode, options));
  const podNames = PODS.slice(0, options.pods);
  const close = async (handle?: PlatformHandle): Promise<void> => {
    await handle?.stop();
    remove();
    process.removeListener('exit', remove);
  };
  let handle: PlatformHandle | undefined;
  try {
    handle = await startPlatform({
      ports: await freePlatformPorts(),
      dataDir,
      catalogueFile,
      apps: isOwn(mode) ? podNames : [],
      envOf: lanesOf(options),
    });
    await configureSandbox(handle.urls.sandbox, options);
    return { ...handle, dataDir, catalogueFile, podNames, close: () => close(handle) };
  } catch (error) {
    await close(handle);
    throw error;
  }
}
