import path from 'node:path';
import { silentLogger } from '@commservice/telemetry';
import { topicsOfCatalogue } from './catalogue-topics.js';
import { USAGE, readCommand, readConfig } from './config.js';
import { checkTopics, createTopics, type TopicsOptions } from './topics.js';

const DEVELOPMENT_CATALOGUE = path.resolve(__dirname, '../../stack/catalogue.yaml');

async function run(command: 'check' | 'create', options: TopicsOptions): Promise<readonly string[]> {
  if (command === 'check') return checkTopics(options);
  const { created, faults } = await createTopics(options);
  for (const name of created) console.log(`Created ${name}`);
  return faults;
}

/** Prints one sentence a fault; resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const command = readCommand(args);
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env, DEVELOPMENT_CATALOGUE);
  const topics = topicsOfCatalogue(config.CATALOGUE_FILE, config.TOPIC_PROFILE);
  if (topics.kind === 'faulty') {
    for (const fault of topics.faults) console.error(fault);
    return 1;
  }
  const { specs } = topics;
  const faults = await run(command, {
    brokers: config.KAFKA_BROKERS,
    specs,
    logger: silentLogger,
    replicationFactor: config.TOPIC_REPLICATION,
  });
  for (const fault of faults) console.error(fault);
  if (faults.length === 0) console.log(`All ${specs.length} topics are as they must be.`);
  return faults.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
