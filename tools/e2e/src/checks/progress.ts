import { until } from '@commservice/testkit';
import type { Call, SandboxView } from '../client/sandbox.js';

/** Waits until the provider has seen `count` calls that fit; the looks are 10 ms apart, so that a kill can follow at once. */
export async function untilCalls(
  sandbox: SandboxView,
  count: number,
  what: string,
  fits: (call: Call) => boolean,
  deadlineMs = 40_000,
): Promise<void> {
  await until(async () => (await sandbox.see(), sandbox.count(fits) >= count), {
    deadlineMs,
    stallMs: 20_000,
    everyMs: 10,
    describe: () => `${sandbox.count(fits)} of ${count} ${what}`,
  });
}
