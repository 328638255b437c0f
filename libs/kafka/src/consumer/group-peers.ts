import { setTimeout as delay } from 'node:timers/promises';
import { removeMember } from '../admin/group-admin.js';
import type { TopicAdmin } from '../admin/topic-admin.js';
import { readMember } from './assigner/sticky-assigner.js';
import { tellsOfPeer, thisHost, type Place } from './host.js';
import type { LaneConsumerOptions } from './lane-consumer-options.js';
import { PeerWatch, type Peer } from './peer-watch.js';

const ASK_AGAIN_MS = 1_000;

/**
 * The other members of a lane's group: asked for after each assignment, then watched. Does nothing for a member without an
 * address of its own. A rebalance does not end the watch: the one that died may be what the group waits for. A member whose
 * address would lead to a process of this host instead is left to the session.
 * States of an assignment: ASKING (again every second) → WATCHING; a newer one, or `stop`, ends the asking.
 * Caller: LaneConsumer.
 */
export class GroupPeers {
  private readonly watch: PeerWatch;
  private readonly host = thisHost();
  private asked = 0;

  constructor(
    private readonly options: Pick<LaneConsumerOptions, 'kafka' | 'group' | 'logger' | 'address'>,
    private readonly admin: Pick<TopicAdmin, 'members'>,
    private readonly askAgainMs = ASK_AGAIN_MS,
  ) {
    const { group, logger } = options;
    this.watch = new PeerWatch({ group, logger, evict: (memberId) => removeMember(options, memberId) });
  }

  /** A new generation, in which we are `self`. Resolves when its members are known or it is over. Never rejects. */
  async assigned(self: string): Promise<void> {
    const { address, group, logger } = this.options;
    if (address === undefined) return;
    const asked = ++this.asked;
    for (let first = true; asked === this.asked; first = false) {
      try {
        const members = await this.admin.members(group);
        if (asked !== this.asked) return;
        // while the group waits for its members the broker tells nothing of them: no reason to end the watch
        if (members.some(({ metadata }) => metadata.length > 0))
          return this.watch.members(self, peersOf({ address, host: this.host }, members));
      } catch (error) {
        const fields = { group, error: String(error) };
        if (first) logger.warn(fields, 'the members of the group could not be read; asking again');
      }
      await delay(this.askAgainMs, undefined, { ref: false });
    }
  }

  stop(): void {
    this.asked++;
    this.watch.stop();
  }
}

function peersOf(self: Place, members: Awaited<ReturnType<TopicAdmin['members']>>): Peer[] {
  return members.flatMap(({ memberId, metadata }): Peer[] => {
    const { address, host } = readMember(memberId, metadata);
    return address && tellsOfPeer(self, { address, host }) ? [{ memberId, address }] : [];
  });
}
