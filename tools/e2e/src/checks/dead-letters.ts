import { lanesOf, deadLetterTopic, type Lane } from '@commservice/contracts';
import { readAll, type StoredRecord } from '@commservice/testkit';
import type { JourneyPlatform } from '../platform/journey-platform.js';

/** Everything in a lane's dead-letter topic. */
export function deadLettersOf(platform: JourneyPlatform, lane: Lane): Promise<StoredRecord[]> {
  return readAll(deadLetterTopic(lane), { brokers: [platform.urls.kafka] });
}

/** Number of dead letters of one channel without brands, over its classes. */
export async function countDeadLetters(
  platform: JourneyPlatform,
  channel: 'sms' | 'email' | 'messenger',
): Promise<number> {
  const counts = await Promise.all(lanesOf([], {}, [channel]).map((lane) => deadLettersOf(platform, lane)));
  return counts.reduce((sum, records) => sum + records.length, 0);
}
