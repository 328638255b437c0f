import { createRequire } from 'node:module';

/**
 * kafkajs 2.2.4 re-arms a 1 ms timer for ever on each connection after its first answer (tulios/kafkajs#1556, #1704), and
 * Node ≥ 22 warns about the negative timeout behind it. This override schedules a check only while something is waiting.
 * It is written for that version alone and must run before the first client is made.
 */
interface RequestQueue {
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  throttledUntil: number;
  pending: unknown[];
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

const RECHECK_MS = 10;
const load = createRequire(__filename);
const { version } = load('kafkajs/package.json') as { version: string };
if (version !== '2.2.4') throw new Error(`kafkajs-idle-patch is written for kafkajs 2.2.4, found ${version}`);

const { prototype } = load('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(): void {
  if (this.throttleCheckTimeoutId) return;
  const waitMs = this.throttledUntil - Date.now();
  if (this.pending.length === 0 && waitMs <= 0) return; // push() and fulfillRequest() schedule again
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    },
    waitMs > 0 ? waitMs : RECHECK_MS,
  );
};
