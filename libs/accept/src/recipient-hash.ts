import { createHmac, type KeyObject } from 'node:crypto';
import type { Channel } from '@commservice/contracts';

/**
 * The key of a lane record: a keyed hash of the recipient, so that one recipient's messages keep one partition and no
 * topic shows who they are. 128 bits, base64url.
 */
export function recipientHash(hashKey: KeyObject, channel: Channel, identity: string): string {
  return createHmac('sha256', hashKey).update(`${channel}\n${identity}`).digest('base64url').slice(0, 22);
}
