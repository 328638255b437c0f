import { randomBytes } from 'node:crypto';
import type { PlatformProcess } from '@commservice/tools-stack';
import { Api } from './client/api.js';
import { SandboxView } from './client/sandbox.js';
import { journeyPlatform, type JourneyPlatform } from './platform/journey-platform.js';
import { logTail } from './platform/log-tail.js';
import { seconds } from './scale.js';

/** Longest time of one journey. */
const DEADLINE_MS = seconds(120, 3_600) * 1000;

/** What a journey has in hand. */
export interface World {
  readonly platform: JourneyPlatform;
  readonly api: Api;
  readonly sandbox: SandboxView;
}

/**
 * One journey as a test. `processes` are those whose last log lines are printed when it fails. The sandbox is in its first
 * state before and after; what a journey stops it must start again, else the next one fails.
 */
export function journey(
  name: string,
  processes: readonly PlatformProcess[],
  run: (world: World) => Promise<void>,
): void {
  it(
    name,
    async () => {
      const platform = journeyPlatform();
      const reference = `journey-${randomBytes(4).toString('hex')}`;
      const sandbox = await SandboxView.open(platform.urls.sandbox);
      try {
        await run({ platform, api: new Api(platform.urls.api, reference), sandbox });
      } catch (error) {
        await sandbox.see().catch(() => undefined);
        throw explained(error, sandbox, logTail(platform, processes));
      } finally {
        await sandbox.reset();
      }
    },
    DEADLINE_MS,
  );
}

function explained(error: unknown, sandbox: SandboxView, tail: string): unknown {
  if (!(error instanceof Error)) return error;
  error.message += `\n\nthe provider saw: ${sandbox.tally()}\n${tail}`;
  // jest prints the stack, which holds the first message
  error.stack = `${error.message}\n${(error.stack ?? '')
    .split('\n')
    .filter((l) => /^\s+at /.test(l))
    .join('\n')}`;
  return error;
}
