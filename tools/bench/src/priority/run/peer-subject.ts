import { randomUUID } from 'node:crypto';
import type { Priority } from '@commservice/contracts';
import { createTopics } from '@commservice/testkit';
import type { PeerMode } from '../mode.js';
import {
  PARTITIONS,
  partitionsOf,
  peerTopics,
  type PeerMessage,
  type PeerSettings,
} from '../peers/peer-settings.js';
import { PeerProcess } from '../peers/peer-process.js';
import type { PriorityOptions } from '../priority-options.js';
import { ACCOUNT, type ModePlatform } from './mode-platform.js';
import type { Composed, Subject } from './subject.js';

/** No message of a run grows older. */
const TTL_MS = 3_600_000;
/** A record of a peer is about as long as those that peers are usually measured with. */
const TEXT = 'Your parcel is on its way and will be with you between two and four this afternoon.';

function composer(mode: PeerMode, topics: PeerSettings['topics']): Subject['compose'] {
  let next = 0;
  return (priority: Priority): Composed => {
    const n = next++;
    const id = randomUUID();
    const message: PeerMessage = {
      id,
      priority,
      to: { phone: `+4477009${String(n % 100_000).padStart(5, '0')}` },
      content: { text: TEXT },
      expiresAt: Date.now() + TTL_MS,
    };
    const own = partitionsOf(mode, priority);
    const place = own ? { partition: own[n % own.length] as number } : {};
    return { id, record: { topic: topics[priority], key: id, value: JSON.stringify(message), ...place } };
  };
}

/** Starts the small dispatchers of a peer's design, each a process of its own. */
export async function openPeerSubject(
  mode: PeerMode,
  { urls, podNames }: ModePlatform,
  options: PriorityOptions,
): Promise<Subject> {
  const topics = peerTopics(mode);
  await createTopics(
    [...new Set(Object.values(topics))].map((name) => ({ name, partitions: PARTITIONS })),
    [urls.kafka],
  );
  const { ratePerSecond } = options;
  const { kafka, redis, sandbox } = urls;
  const common = { mode, topics, broker: kafka, redis, sandbox, account: ACCOUNT, ratePerSecond };
  const processes = podNames.map((pod) => new PeerProcess({ ...common, pod }));
  const close = async (): Promise<void> => {
    await Promise.all(processes.map((peer) => peer.stop()));
  };
  try {
    await Promise.all(processes.map((peer) => peer.ready()));
  } catch (error) {
    await close();
    throw error;
  }
  return { topics, compose: composer(mode, topics), pids: () => processes.map((peer) => peer.pid()), close };
}
