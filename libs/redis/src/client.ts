import { Redis } from 'ioredis';
import type { ResolvedRedisOptions } from './options.js';
import { watchForStalls } from './stall-watch.js';

/**
 * One ioredis client with the rules of this platform: it connects when told to and for ever again, holds nothing back
 * while it is down, and never sends a lost command twice (a late lease or claim would act for nobody).
 * @param owed how many answers the server owes now
 */
export function createClient(options: ResolvedRedisOptions, owed: () => number): Redis {
  const { reconnect, logger, name } = options;
  const client = new Redis(options.url, {
    lazyConnect: true,
    connectionName: name,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    enableAutoPipelining: options.autoPipelining,
    connectTimeout: Math.max(options.stallMs, 1000),
    disableClientInfo: true,
    retryStrategy: (times) => Math.min(reconnect.maxMs, reconnect.minMs * 2 ** Math.min(times - 1, 16)),
    // After a failover the old primary answers READONLY: the address now leads elsewhere.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  watchForStalls(client, options.stallMs, owed);
  let lastFault = '';
  client.on('error', (error: NodeJS.ErrnoException) => {
    // One line per kind of fault and outage, not one per attempt.
    const fault = error.code ?? error.message.split(' ', 1)[0] ?? 'unknown';
    if (fault !== lastFault) logger.warn({ redis: name, fault }, 'redis connection failed; trying again');
    lastFault = fault;
  });
  client.on('ready', () => {
    lastFault = '';
    logger.info({ redis: name }, 'redis connection is ready');
  });
  return client;
}

/** Says goodbye in order, within `deadlineMs`; after that the socket is dropped. */
export async function closeClient(client: Redis, deadlineMs: number): Promise<void> {
  if (client.status === 'end') return;
  if (client.status === 'ready') {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, deadlineMs)));
    await Promise.race([
      client.quit().then(
        () => undefined,
        () => undefined,
      ),
      late,
    ]);
    clearTimeout(timer);
  }
  client.disconnect();
}
