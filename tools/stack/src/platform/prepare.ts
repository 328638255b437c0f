import { StackFault } from '../fault.js';
import type { ServerAddresses } from './app-spec.js';
import type { PlatformOptions } from './options.js';

/**
 * Creates the catalogue's topics and brings the schema up to this build. The libraries are loaded only here, so that
 * who needs nothing but servers (the testkit) does not load them.
 */
export async function prepareServers(options: PlatformOptions, servers: ServerAddresses): Promise<void> {
  await Promise.all([prepareTopics(options, servers), prepareSchema(servers)]);
}

async function prepareTopics(options: PlatformOptions, { kafka }: ServerAddresses): Promise<void> {
  const { createTopics, topicsOfCatalogue } = await import('@commservice/tools-topics');
  const { silentLogger } = await import('@commservice/telemetry');
  const topics = topicsOfCatalogue(options.catalogueFile, 'dev');
  if (topics.kind === 'faulty') throw new StackFault(topics.faults.join('\n'));
  try {
    const { created, faults } = await createTopics({
      brokers: kafka.split(','),
      specs: topics.specs,
      logger: silentLogger,
    });
    if (created.length > 0) options.log.say(`Created ${created.length} topics.`);
    for (const fault of faults)
      options.log.say(`${fault} It is left as it is; "npm run stack:reset" makes all topics anew.`);
  } catch (error) {
    throw new StackFault(`The topics could not be created on ${kafka}: ${(error as Error).message}.`);
  }
}

async function prepareSchema({ postgres }: ServerAddresses): Promise<void> {
  const { migrate } = await import('@commservice/postgres');
  const { silentLogger } = await import('@commservice/telemetry');
  try {
    await migrate({ connectionString: postgres, logger: silentLogger });
  } catch (error) {
    throw new StackFault(`The database schema could not be brought up to date: ${(error as Error).message}.`);
  }
}
