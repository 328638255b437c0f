import { removeMember } from '../admin/group-admin.js';
import type { TopicAdmin } from '../admin/topic-admin.js';
import { readMember } from './assigner/sticky-assigner.js';
import type { LaneConsumerOptions } from './lane-consumer-options.js';
import { PeerWatch, type Peer } from './peer-watch.js';

/**
 * The other members of a lane's group: asked for after each assignment, then watched. Does nothing for a member without an
 * address of its own. A rebalance does not end the watch: the one that died may be what the group waits for.
 * Caller: LaneConsumer.
 */
export class GroupPeers {
  private readonly watch: PeerWatch;
  private asked = 0;

  constructor(
    private readonly options: Pick<LaneConsumerOptions, 'kafka' | 'group' | 'logger' | 'address'>,
    private readonly admin: TopicAdmin,
  ) {
    const { group, logger } = options;
    this.watch = new PeerWatch({ group, logger, evict: (memberId) => removeMember(options, memberId) });
  }

  /** A new generation, in which we are `self`. Never rejects. */
  async assigned(self: string): Promise<void> {
    const { address, group, logger } = this.options;
    if (address === undefined) return;
    const asked = ++this.asked;
    try {
      const members = await this.admin.members(group);
      if (asked !== this.asked || members.length === 0) return; // another generation follows
      this.watch.members(
        self,
        members.flatMap(({ memberId, metadata }): Peer[] => {
          const peer = readMember(memberId, metadata);
          return peer.address ? [{ memberId, address: peer.address }] : [];
        }),
      );
    } catch (error) {
      logger.warn(
        { group, error: String(error) },
        'the members of the group could not be read; none is watched',
      );
    }
  }

  stop(): void {
    this.asked++;
    this.watch.stop();
  }
}
