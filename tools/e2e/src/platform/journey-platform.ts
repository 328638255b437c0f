import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePlatformPorts, startPlatform, type PlatformHandle } from '@commservice/tools-stack';
import { proofDir } from '../config.js';
import { KAFKA_IDLE_MS } from './idle.js';
import { writeJourneyCatalogue } from './journey-catalogue.js';
import { RedisLinks } from './redis-links.js';

/** The platform of one run of journeys, on free ports and in a folder of its own. */
export interface JourneyPlatform extends PlatformHandle {
  /** Folder with logs and data. */
  readonly dataDir: string;
  /** What the platform said of itself since the start: "sms-1 ended with code 0." */
  readonly sayings: readonly string[];
  /** The apps' links to Redis; a journey leaves them passing, to the platform's own. */
  readonly redisLinks: RedisLinks;
  /** Stops everything and removes the folder. */
  close(): Promise<void>;
}

/** Starts the platform with auto-restart off: what a journey kills stays down until it starts it again. */
export async function startJourneyPlatform(): Promise<JourneyPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'commservice-e2e-'));
  const catalogueFile = path.join(dataDir, 'catalogue.yaml');
  writeJourneyCatalogue(catalogueFile);
  const sayings: string[] = [];
  const remove = (): void => {
    keepLogs(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  // Ctrl-C, or a run that is stopped: an orderly exit ends the processes that were started
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  const ports = await freePlatformPorts();
  const redisLinks = await RedisLinks.open(ports.redis);
  const clear = async (): Promise<void> => {
    await redisLinks.close();
    remove();
  };
  try {
    const handle = await startPlatform({
      ports,
      dataDir,
      catalogueFile,
      durability: 'scratch',
      kafkaIdleMs: KAFKA_IDLE_MS,
      autoRestart: false,
      envOf: redisLinks.environment(),
      log: { say: (sentence) => void sayings.push(sentence), line: () => undefined },
    });
    const close = async (): Promise<void> => {
      await handle.stop();
      await clear();
    };
    return { ...handle, dataDir, sayings, redisLinks, close };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** A proof keeps what the processes wrote. */
function keepLogs(dataDir: string): void {
  const logs = path.join(dataDir, 'logs');
  if (proofDir !== undefined && existsSync(logs))
    cpSync(logs, path.join(proofDir, 'logs'), { recursive: true });
}

/** The platform that the run started; throws outside of `npm run test:e2e`. */
export function journeyPlatform(): JourneyPlatform {
  const { __journeyPlatform } = globalThis as { __journeyPlatform?: JourneyPlatform };
  if (!__journeyPlatform) throw new Error('no platform: run the journeys with "npm run test:e2e"');
  return __journeyPlatform;
}
