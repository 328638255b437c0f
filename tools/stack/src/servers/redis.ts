import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GOES_FIRST_NICENESS } from '../process/niceness.js';
import { ask } from '../process/probe.js';
import { termThenKill } from '../process/stop.js';
import { findPrograms } from './programs.js';
import { plainEnvironment } from '../config.js';
import type { Server, ServerOptions } from './server.js';

const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 10_000;

/** Redis forgets nothing by itself (noeviction); `kept` writes every change to its log within a second. */
function config(o: ServerOptions, folder: string): string {
  const lines: [string, string | number][] = [
    ['bind', '127.0.0.1'],
    ['port', o.port],
    ['dir', `"${folder}"`],
    ['daemonize', 'no'],
    ['loglevel', 'notice'],
    ['maxmemory', '512mb'],
    ['maxmemory-policy', 'noeviction'],
    ['save', '""'],
    ['appendonly', o.durability === 'kept' ? 'yes' : 'no'],
    ['appendfsync', 'everysec'],
  ];
  return lines.map(([key, value]) => `${key} ${value}\n`).join('');
}

async function answers(port: number): Promise<boolean> {
  const answer = await ask(port, Buffer.from('PING\r\n'), 1_000);
  return answer?.toString('latin1').startsWith('+PONG') ?? false; // -LOADING while it reads its data
}

/** A real Redis. */
export function redisServer(options: ServerOptions): Server {
  const folder = path.join(options.dataDir, 'data', 'redis');
  const file = path.join(options.dataDir, 'conf', 'redis.conf');
  return {
    name: 'redis',
    address: `redis://127.0.0.1:${options.port}`,
    prepare() {
      mkdirSync(folder, { recursive: true });
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, config(options, folder));
      return Promise.resolve();
    },
    spec: {
      name: 'redis',
      command: findPrograms().redisServer,
      args: [file],
      env: plainEnvironment(),
      cwd: options.dataDir,
      // every token comes from here
      niceness: options.durability === 'kept' ? GOES_FIRST_NICENESS : 0,
      output: 'file',
      ready: () => answers(options.port),
      startDeadlineMs: START_DEADLINE_MS,
      stop: termThenKill(STOP_DEADLINE_MS),
    },
  };
}
