import { createSecretKey, randomBytes } from 'node:crypto';
import { Acceptor, authenticate, CatalogueFile, type AcceptContext } from '@commservice/accept';
import { laneTopic, MessageIds, systemClock, type Priority } from '@commservice/contracts';
import { Postgres, PostgresKeyRing } from '@commservice/postgres';
import { silentLogger } from '@commservice/telemetry';
import { DEVELOPMENT_MASTER_KEY } from '@commservice/tools-stack';
import { BenchFault } from '../../fault.js';
import { API_KEY, messageBody } from '../../message-body.js';
import { openKafkaWriter } from '../workload/kafka-writer.js';
import type { ModePlatform } from './mode-platform.js';
import { OpenCeiling } from './open-ceiling.js';
import { readPodMetrics } from './pod-metrics.js';
import type { Composed, Subject } from './subject.js';

const logger = silentLogger;
const TRACE = { traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00` };
const topicOf = (priority: Priority): string => laneTopic({ channel: 'sms', priority });

async function openKeyRing(
  connectionString: string,
  brands: readonly string[],
): Promise<{ keyRing: PostgresKeyRing; close: () => Promise<void> }> {
  const postgres = new Postgres({ connectionString, max: 2, statementTimeoutMs: 2_000, logger });
  const masterKey = Buffer.from(DEVELOPMENT_MASTER_KEY, 'base64');
  const keyRing = new PostgresKeyRing({ postgres, masterKey, brands, logger });
  const close = (): Promise<void> => {
    keyRing.stop();
    return postgres.close(2_000);
  };
  await keyRing.start();
  if (keyRing.ready) return { keyRing, close };
  await close();
  throw new BenchFault(`The data keys are missing: ${keyRing.missing().join(', ')}.`);
}

function pidsOf(platform: ModePlatform): number[] {
  return platform.podNames.map((name) => {
    const { pid, logFile } = platform.process(name);
    if (pid === undefined) throw new BenchFault(`${name} has ended; its log is ${logFile}.`);
    return pid;
  });
}

/** Our own sms dispatchers, which the platform runs; their records are made by libs/accept, as ingest-api makes them. */
export async function openOwnSubject(platform: ModePlatform): Promise<Subject> {
  const { catalogueFile: path } = platform;
  const catalogue = await new CatalogueFile({ path, production: false, logger }).load();
  const key = authenticate(`Bearer ${API_KEY}`, catalogue);
  if (!key) throw new BenchFault('The development catalogue does not know the demo key.');
  const { keyRing, close } = await openKeyRing(platform.urls.postgres, catalogue.brands);
  const writer = await openKafkaWriter(platform.urls.kafka, {
    P1: topicOf('P1'),
    P2: topicOf('P2'),
    P3: topicOf('P3'),
  });
  const acceptor = new Acceptor({
    clock: systemClock,
    ids: new MessageIds(randomBytes(16)),
    keyRing,
    ceiling: new OpenCeiling({ clock: systemClock }),
    hashKey: createSecretKey(randomBytes(32)),
  });
  const context: AcceptContext = { catalogue, key, trace: TRACE };
  let next = 0;
  return {
    compose(priority): Composed {
      const result = acceptor.accept(messageBody('sms', priority, next++), context);
      if (result.kind === 'refused')
        throw new BenchFault(`A ${priority} was refused: ${result.problem.title}.`);
      return { id: result.message.id, write: () => writer.write(priority, result.record) };
    },
    pids: () => pidsOf(platform),
    metrics: () => readPodMetrics(platform.podNames.map((pod) => platform.urls.apps[pod])),
    async close() {
      await writer.close();
      await close();
    },
  };
}
