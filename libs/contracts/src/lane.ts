import { CHANNELS, PRIORITIES, priorityNumber, type Channel, type Priority } from './channel.js';

/** One (channel, brand?, class): its own topic, consumer group, client, queue, slots and retry topics. */
export interface Lane {
  readonly channel: Channel;
  /** Present only where the catalogue makes the brand a level of the topic (`perBrand`). */
  readonly brand?: string;
  readonly priority: Priority;
}

/** Which classes of which channel have a topic per brand: channel → classes. */
export type PerBrand = Readonly<Partial<Record<Channel, readonly Priority[]>>>;

/** One delay tier of a lane's retries. `name` is part of the topic name. */
export interface RetryTier {
  readonly name: string;
  readonly delayMs: number;
}

const tier = (name: string, delayMs: number): RetryTier => ({ name, delayMs });

/** The delay tiers that exist as topics, by class. */
export const RETRY_TIERS: Record<Priority, readonly RetryTier[]> = {
  P1: [tier('2s', 2_000)],
  P2: [tier('10s', 10_000), tier('2m', 120_000)],
  P3: [tier('1m', 60_000), tier('15m', 900_000)],
};

/** Which tier each failed attempt goes to, in order; after the last one the record is dead-lettered. */
export const RETRY_PLAN: Record<Priority, readonly string[]> = {
  P1: ['2s', '2s', '2s', '2s', '2s'],
  P2: ['10s', '2m', '2m'],
  P3: ['1m', '15m', '15m'],
};

/**
 * The tier for a record that has failed `attempts` times (≥ 1), or undefined when its attempts are used up.
 */
export function retryTierAfter(priority: Priority, attempts: number): RetryTier | undefined {
  const name = RETRY_PLAN[priority][attempts - 1];
  return name === undefined ? undefined : RETRY_TIERS[priority].find((t) => t.name === name);
}

/** `sms:P1`, `push.alfa:P3`: the name of a lane in metrics, `/lanes` and the LANES option. */
export function laneName(lane: Lane): string {
  return `${lane.channel}${lane.brand ? `.${lane.brand}` : ''}:${lane.priority}`;
}

/** `commservice.<channel>.messages.[<brand>.]priority<n>` */
export function laneTopic(lane: Lane): string {
  return `commservice.${lane.channel}.messages.${lane.brand ? `${lane.brand}.` : ''}priority${priorityNumber(lane.priority)}`;
}

/** `<topic>.retry.<delay>` */
export function retryTopic(lane: Lane, tierName: string): string {
  return `${laneTopic(lane)}.retry.${tierName}`;
}

/** `dlq.<topic>`: for a record met in a retry lane, the topic is the lane's original one. */
export function deadLetterTopic(lane: Lane): string {
  return `dlq.${laneTopic(lane)}`;
}

/** `parked.<topic>`: dead letters that only a person may move. */
export function parkedTopic(lane: Lane): string {
  return `parked.${laneTopic(lane)}`;
}

/** `commservice.<channel>[.<brand>].p<n>`: the consumer group of a lane. */
export function laneGroup(lane: Lane): string {
  return `commservice.${lane.channel}${lane.brand ? `.${lane.brand}` : ''}.p${priorityNumber(lane.priority)}`;
}

/** The consumer group of a lane's retry topics. */
export function retryGroup(lane: Lane): string {
  return `${laneGroup(lane)}.retry`;
}

/** The lane a message travels in. */
export function laneOf(m: { channel: Channel; brand: string; priority: Priority }, perBrand: PerBrand): Lane {
  const split = perBrand[m.channel]?.includes(m.priority) ?? false;
  return split
    ? { channel: m.channel, brand: m.brand, priority: m.priority }
    : { channel: m.channel, priority: m.priority };
}

/** Every lane of the given channels, in order of channel, brand and class. */
export function lanesOf(
  brands: readonly string[],
  perBrand: PerBrand,
  channels: readonly Channel[] = CHANNELS,
): Lane[] {
  return channels.flatMap((channel) =>
    PRIORITIES.flatMap((priority): Lane[] =>
      (perBrand[channel]?.includes(priority) ?? false)
        ? brands.map((brand) => ({ channel, brand, priority }))
        : [{ channel, priority }],
    ),
  );
}

/** The lane whose main topic this is, or undefined for any other topic. */
export function laneFromTopic(topic: string): Lane | undefined {
  const m = /^commservice\.(sms|push|email|messenger)\.messages\.(?:([a-z0-9-]+)\.)?priority([123])$/.exec(
    topic,
  );
  if (!m) return undefined;
  const priority = PRIORITIES[Number(m[3]) - 1] as Priority;
  const channel = m[1] as Channel;
  return m[2] ? { channel, brand: m[2], priority } : { channel, priority };
}
