import path from 'node:path';
import { DEFAULT_DATA_DIR, PORTS, runningProcesses } from '@commservice/tools-stack';
import { BenchFault } from '../fault.js';
import type { Target } from './target.js';

const url = (port: number): string => `http://127.0.0.1:${port}`;

function pidOf(name: string): number | undefined {
  return runningProcesses(path.join(DEFAULT_DATA_DIR, 'pids')).find((note) => note.name === name)?.pid;
}

/** `npm start` starts a dead broker again at once, so it is frozen and thawed instead of stopped. */
function signalBroker(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const pid = pidOf('kafka');
  if (pid === undefined)
    throw new BenchFault('The broker was not started by "npm start" here, so it cannot be stopped.');
  process.kill(pid, signal);
  return Promise.resolve();
}

/** The platform that `npm start` runs in another terminal, on its fixed ports. */
export function runningTarget(): Target {
  return {
    kind: 'running',
    api: url(PORTS['ingest-api'].port),
    sandbox: url(PORTS.sandbox.port),
    kafka: `127.0.0.1:${PORTS.kafka.port}`,
    redis: `redis://127.0.0.1:${PORTS.redis.port}`,
    postgres: `postgres://127.0.0.1:${PORTS.postgres.port}`,
    smsPods: [url(PORTS['sms-1'].port), url(PORTS['sms-2'].port)],
    ingestPid: () => pidOf('ingest-api'),
    stopBroker: () => signalBroker('SIGSTOP'),
    startBroker: () => signalBroker('SIGCONT'),
    close: () => Promise.resolve(),
  };
}
