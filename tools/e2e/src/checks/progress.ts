import { until } from '@commservice/testkit';
import type { Call, SandboxView } from '../client/sandbox.js';

/**
 * Waits until the provider has seen `count` calls that fit; the looks are 10 ms apart, so that a kill can follow at once.
 * Each call is looked at once: what a proof sees in all must not cost the processor of what it measures.
 */
export async function untilCalls(
  sandbox: SandboxView,
  count: number,
  what: string,
  fits: (call: Call) => boolean,
  deadlineMs = 40_000,
): Promise<void> {
  let [seen, found] = [0, 0];
  const look = async (): Promise<boolean> => {
    const calls = await sandbox.see();
    for (; seen < calls.length; seen++) if (fits(calls[seen] as Call)) found++;
    return found >= count;
  };
  await until(look, {
    deadlineMs,
    stallMs: 20_000,
    everyMs: 10,
    describe: () => `${found} of ${count} ${what}`,
  });
}
