import { Redis } from 'ioredis';

export type CommandCounts = Readonly<Record<string, number>>;

/** Counts of `INFO commandstats`, by command in lower case; what concerns only the asker is left out. */
export function parseCommandStats(info: string): CommandCounts {
  const found = [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
  return Object.fromEntries(
    found.filter(([, name]) => name !== 'info').map(([, name, calls]) => [name as string, Number(calls)]),
  );
}

/** What was run between two counts; commands that were not are left out. */
export function commandsBetween(before: CommandCounts, after: CommandCounts): CommandCounts {
  const grown = Object.entries(after).map(([name, calls]) => [name, calls - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, calls]) => calls > 0));
}

/** Counts the commands of one Redis. */
export class RedisCommands {
  private readonly client: Redis;

  constructor(url: string) {
    this.client = new Redis(url, { commandTimeout: 5_000, connectionName: 'bench' });
    this.client.on('error', () => undefined); // what matters rejects in `read`
  }

  async read(): Promise<CommandCounts> {
    return parseCommandStats(await this.client.info('commandstats'));
  }

  close(): void {
    this.client.disconnect();
  }
}
