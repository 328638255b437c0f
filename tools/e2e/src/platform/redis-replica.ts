import { ownServers, TcpProxy, until } from '@commservice/testkit';
import { redisSay } from './redis-say.js';

/** A second Redis that follows the first over a link of its own. */
export interface RedisReplica {
  readonly port: number;
  /** From now on nothing of the first reaches it: it lags. */
  lag(): Promise<void>;
  /** It follows nobody any more and takes writes. */
  promote(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** Starts a replica of the Redis at `url` and waits until it has caught up. */
export async function startReplica(url: string): Promise<RedisReplica> {
  const link = await TcpProxy.open({ host: '127.0.0.1', port: Number(new URL(url).port) });
  const servers = await ownServers(['redis']).catch(async (error: unknown) => {
    await link.close();
    throw error;
  });
  const own = servers.address('redis');
  const close = async (): Promise<void> => {
    await servers.close();
    await link.close();
  };
  try {
    await redisSay(own, `REPLICAOF 127.0.0.1 ${link.port}`);
    await until(async () => (await redisSay(own, 'INFO replication')).includes('master_link_status:up'), {
      deadlineMs: 15_000,
      describe: 'the replica caught up',
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: Number(new URL(own).port),
    lag: () => link.blackHole(),
    promote: async () => void (await redisSay(own, 'REPLICAOF NO ONE')),
    close,
  };
}
