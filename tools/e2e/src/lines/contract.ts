import type { SandboxView } from '../client/sandbox.js';
import { arrivingAtMost, rateOf } from '../load/rate.js';
import type { Figures } from './figures.js';

/** The development catalogue's contract with `sms-a`, parts a second. */
export const SMS_A_RATE = 200;

/**
 * Promise 3 over all that a journey saw: no second above the contract rate as calls arrive, none refused for it. At short
 * scale, beside everything else on two cores, calls arrive less evenly than they were granted.
 */
export async function mustKeepContract(
  figures: Figures,
  sandbox: SandboxView,
  account = 'sms-a',
  rate = SMS_A_RATE,
): Promise<void> {
  await sandbox.see();
  const { units, throttled, judged } = rateOf(sandbox.everything, account);
  figures.note(`share of calls of ${account} judged`, judged);
  figures.must(`most units in any second at ${account}`, units, {
    atMost: arrivingAtMost(rate),
    short: { atMost: 1.1 * rate },
  });
  figures.must(`calls refused by ${account} for their rate`, throttled, {
    atMost: 0,
    short: { atMost: 0.02 * rate },
  });
}

/** Promise 8 as the provider sees it: calls later than their message's expiry; 20 ms are the wire's, and its lag its own. */
export const sentTooLate = (sandbox: SandboxView): number =>
  sandbox.count((c) => c.atEpochUs / 1000 > c.expiresAt + 20 + c.lagMs);
