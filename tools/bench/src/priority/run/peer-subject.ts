import { randomUUID } from 'node:crypto';
import type { Priority } from '@commservice/contracts';
import type { PeerMode } from '../mode.js';
import { peerTopics, type PeerMessage } from '../peers/peer-settings.js';
import { PeerProcess } from '../peers/peer-process.js';
import type { PriorityOptions } from '../priority-options.js';
import type { Writer } from '../workload/writer.js';
import { ACCOUNT, type ModePlatform } from './mode-platform.js';
import { openPlace } from './peer-place.js';
import type { Composed, Subject } from './subject.js';

/** No message of a run grows older. */
const TTL_MS = 3_600_000;
/** A record of a peer is about as long as those that peers are usually measured with. */
const TEXT = 'Your parcel is on its way and will be with you between two and four this afternoon.';

function composer(writer: Writer<PeerMessage>): Subject['compose'] {
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
    return { id, write: () => writer.write(priority, message) };
  };
}

/** Starts the small dispatchers of a peer's design, each a process of its own. */
export async function openPeerSubject(
  mode: PeerMode,
  platform: ModePlatform,
  { ratePerSecond }: PriorityOptions,
): Promise<Subject> {
  const topics = peerTopics(mode);
  const place = await openPlace(mode, platform, topics);
  const { kafka, redis, sandbox } = platform.urls;
  const common = { mode, topics, broker: kafka, redis, sandbox, account: ACCOUNT, ratePerSecond };
  const settings = place.rabbit === undefined ? common : { ...common, rabbit: place.rabbit };
  const processes = platform.podNames.map((pod) => new PeerProcess({ ...settings, pod }));
  const close = async (): Promise<void> => {
    await Promise.all(processes.map((peer) => peer.stop()));
    await place.close();
  };
  try {
    await Promise.all(processes.map((peer) => peer.ready()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    compose: composer(place.writer),
    pids: () => processes.map((peer) => peer.pid()),
    metrics: () => Promise.resolve(undefined),
    close,
  };
}
