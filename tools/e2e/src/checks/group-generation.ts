import { readAll } from '@commservice/testkit';
import type { JourneyPlatform } from '../platform/journey-platform.js';

/** Version of the keys under which the broker keeps a group's state in `__consumer_offsets`. */
const GROUP_STATE_KEY = 2;

/** The generation of every consumer group whose name fits, as the broker stored it: it grows with each rebalance. */
export async function groupGenerations(
  platform: JourneyPlatform,
  fits: RegExp,
): Promise<Record<string, number>> {
  const records = await readAll('__consumer_offsets', { brokers: [platform.urls.kafka], deadlineMs: 30_000 });
  const generations: Record<string, number> = {};
  for (const { key, value } of records) {
    const bytes = Buffer.from(key ?? '', 'utf8');
    if (value === null || bytes.length < 4 || bytes.readInt16BE(0) !== GROUP_STATE_KEY) continue;
    const group = bytes.toString('utf8', 4);
    if (fits.test(group)) generations[group] = generationOf(value);
  }
  return generations;
}

/** Value: version (int16), protocol type (string), generation (int32), … */
function generationOf(value: Buffer): number {
  const protocolBytes = value.readInt16BE(2);
  return value.readInt32BE(4 + Math.max(0, protocolBytes));
}
