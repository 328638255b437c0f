import { existsSync, readFileSync } from 'node:fs';
import type { PlatformProcess } from '@commservice/tools-stack';
import type { JourneyPlatform } from './journey-platform.js';

const LINES = 12;
const WIDTH = 400;

/** The last lines that each of these processes wrote, for people. */
export function logTail(platform: JourneyPlatform, processes: readonly PlatformProcess[]): string {
  return processes.flatMap((name) => tailOf(platform, name)).join('\n');
}

function tailOf(platform: JourneyPlatform, name: PlatformProcess): string[] {
  const { logFile, pid } = platform.process(name);
  const text = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
  const lines = text.split('\n').filter(Boolean).slice(-LINES);
  const state = pid === undefined ? 'does not run' : `runs, pid ${pid}`;
  return [`── ${name} (${state})`, ...lines.map((line) => `   ${line.slice(0, WIDTH)}`)];
}
