import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { freePorts, ManagedProcess, termThenKill } from '@commservice/tools-stack';
import { searchPath } from '../../config.js';
import type { RabbitPrograms } from './rabbit-programs.js';

const START_MS = 60_000;
const STOP_MS = 15_000;
const PROBE_MS = 1_000;

/** A RabbitMQ of our own. */
export interface RabbitServer {
  /** What clients connect to. */
  readonly url: string;
  /** Stops it and its name server. */
  stop(): Promise<void>;
}

/** Whether something listens on that port of this machine. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

interface Ports {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

/** Everything that RabbitMQ keeps goes to `folder`; what this machine has configured for its own is not read. */
function environment(folder: string, ports: Ports): NodeJS.ProcessEnv {
  return {
    PATH: searchPath(),
    LC_ALL: 'C.UTF-8',
    HOME: folder, // the Erlang cookie
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `bench-${process.pid}@localhost`,
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: path.join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: path.join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_CONFIG_FILE: path.join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: path.join(folder, 'no-more-settings'),
    RABBITMQ_ENABLED_PLUGINS_FILE: path.join(folder, 'enabled_plugins'),
    RABBITMQ_ALLOW_INPUT: '1', // no shell in between: our signals reach Erlang itself
  };
}

/**
 * Starts RabbitMQ with data, name and ports of its own. Its name server runs in the foreground as a process of ours: one
 * that RabbitMQ starts would outlive it. Rejects with a StackFault, and with nothing left running, when it cannot start.
 */
export async function startRabbit(programs: RabbitPrograms, dataDir: string): Promise<RabbitServer> {
  const folder = path.join(dataDir, 'rabbitmq');
  mkdirSync(folder, { recursive: true });
  const [amqp, distribution, epmd] = (await freePorts(3)) as [number, number, number];
  writeFileSync(path.join(folder, 'rabbitmq.conf'), `listeners.tcp.local = 127.0.0.1:${amqp}\n`);
  writeFileSync(path.join(folder, 'enabled_plugins'), '[].\n');
  const env = environment(folder, { amqp, distribution, epmd });
  const process = (name: string, command: string, args: readonly string[], port: number): ManagedProcess =>
    new ManagedProcess(
      {
        ...{ name, command, args, env, cwd: folder, output: 'file', startDeadlineMs: START_MS },
        ready: () => listens(port),
        stop: termThenKill(STOP_MS),
      },
      { pids: path.join(dataDir, 'pids'), logs: path.join(dataDir, 'logs') },
    );
  const names = process('epmd', programs.epmd, ['-port', String(epmd)], epmd);
  const server = process('rabbitmq', programs.server, ['-noinput'], amqp);
  const stop = async (): Promise<void> => {
    await server.stop();
    await names.stop();
  };
  try {
    await names.start();
    await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `amqp://127.0.0.1:${amqp}`, stop };
}
