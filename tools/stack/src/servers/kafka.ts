import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { StackFault } from '../fault.js';
import { ask } from '../process/probe.js';
import { termThenKill } from '../process/stop.js';
import { REPO_ROOT } from '../root.js';
import { findPrograms, type Programs } from './programs.js';
import { plainEnvironment } from '../config.js';
import type { Server, ServerOptions } from './server.js';

export interface KafkaServerOptions extends ServerOptions {
  /** Port on which the broker talks to its own controller. */
  readonly controllerPort: number;
  /** After how long without a word the broker closes a connection, ms. Default: its own, 10 min. */
  readonly idleMs?: number;
}

const NODE_ID = 1;
const START_DEADLINE_MS = 120_000; // 3 s on an idle machine
const STOP_DEADLINE_MS = 30_000;
const LOG4J = path.join(REPO_ROOT, 'tools', 'stack', 'kafka', 'log4j2.properties');

/** One combined KRaft node on the loopback address (design §4.1, own brokers). */
function properties(o: KafkaServerOptions, logDir: string): string {
  const values: Record<string, string | number | boolean> = {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@127.0.0.1:${o.controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${o.port},CONTROLLER://127.0.0.1:${o.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${o.port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': logDir,
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    // a killed broker may come back after this long instead of 9 s
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 8,
    // committed offsets outlive the longest lane retention
    'offsets.retention.minutes': 20_160,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    // hundreds of small partitions on one machine: small indexes, small cleaner
    'log.index.size.max.bytes': 1_048_576,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    'num.partitions': 1,
    ...(o.idleMs === undefined ? {} : { 'connections.max.idle.ms': o.idleMs }),
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

const classPath = (programs: Programs): string => path.join(programs.kafkaLibs, '*');

async function format(programs: Programs, config: string, logDir: string): Promise<void> {
  if (existsSync(path.join(logDir, 'meta.properties'))) return;
  const clusterId = randomBytes(16).toString('base64url');
  const args = [
    'kafka.tools.StorageTool',
    'format',
    `--cluster-id=${clusterId}`, // one argument: it may begin with a dash
    '--config',
    config,
    '--ignore-formatted',
  ];
  try {
    await promisify(execFile)(
      programs.java,
      ['-XX:TieredStopAtLevel=1', `-Dlog4j2.configurationFile=${LOG4J}`, '-cp', classPath(programs), ...args],
      { env: plainEnvironment(), timeout: START_DEADLINE_MS },
    );
  } catch (error) {
    const output = (error as { stderr?: string; stdout?: string }).stderr || (error as Error).message;
    throw new StackFault(`Kafka could not prepare its folder ${logDir}: ${output.trim().split('\n')[0]}`);
  }
}

/** ApiVersions, version 0: the first thing any client asks, answered once the broker serves clients. */
const API_VERSIONS = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

async function answers(port: number): Promise<boolean> {
  const answer = await ask(port, API_VERSIONS, 1_000);
  return answer !== undefined && answer.length >= 10 && answer.readInt16BE(8) === 0;
}

/** A real single-node Kafka 4 in KRaft mode. */
export function kafkaServer(options: KafkaServerOptions): Server {
  const programs = findPrograms();
  const logDir = path.join(options.dataDir, 'data', 'kafka');
  const config = path.join(options.dataDir, 'conf', 'kafka.properties');
  const heap = options.durability === 'kept' ? ['-Xms256m', '-Xmx512m'] : ['-Xmx384m'];
  return {
    name: 'kafka',
    address: `127.0.0.1:${options.port}`,
    async prepare() {
      mkdirSync(logDir, { recursive: true });
      mkdirSync(path.dirname(config), { recursive: true });
      writeFileSync(config, properties(options, logDir));
      await format(programs, config, logDir);
    },
    spec: {
      name: 'kafka',
      command: programs.java,
      args: [
        ...heap,
        // the second compiler would take a small machine's processors from what is measured on it
        '-XX:TieredStopAtLevel=1',
        '-XX:+UseG1GC',
        '-XX:MaxGCPauseMillis=20',
        '-XX:+ExitOnOutOfMemoryError',
        '-Djava.awt.headless=true',
        `-Dlog4j2.configurationFile=${LOG4J}`,
        '-cp',
        classPath(programs),
        'kafka.Kafka',
        config,
      ],
      env: plainEnvironment(),
      cwd: options.dataDir,
      output: 'file',
      ready: () => answers(options.port),
      startDeadlineMs: START_DEADLINE_MS,
      stop: termThenKill(STOP_DEADLINE_MS),
    },
  };
}
