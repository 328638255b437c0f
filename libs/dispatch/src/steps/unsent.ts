import type { Clock, Message, Outcome, Priority } from '@commservice/contracts';
import type { AccountState } from '../account/account-state.js';
import type { LaneItem } from '../lane-item.js';

/** Whether a message's remaining life is no longer than what a call usually takes: it would arrive dead. */
function tooLate(message: Pick<Message, 'expiresAt'>, account: AccountState, clock: Clock): boolean {
  return message.expiresAt - clock.now() <= account.latency.quantile(0.5);
}

/** What a claimed item becomes without a send, if it may not be sent (any more). Asked right before each attempt. */
export function endedUnsent(
  item: LaneItem,
  priority: Priority,
  account: AccountState,
  clock: Clock,
): Outcome | undefined {
  const unconfirmed: Outcome = { kind: 'unconfirmed', account: account.name, code: 'owner_lost' };
  // it may have been sent in time by the pod that died: "expired" would be a claim too much
  if (tooLate(item.message, account, clock))
    return item.takenOver ? unconfirmed : { kind: 'expired', stage: 'queue' };
  // a vendor without idempotency would deliver it twice: promise 7 repeats only P1
  return item.takenOver && !account.account.idempotent && priority !== 'P1' ? unconfirmed : undefined;
}
