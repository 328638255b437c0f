/**
 * After how long without a word the journeys' broker closes a connection. Longer than the longest session (10 s): a join
 * waits that long for a killed member, and a broker that hangs up meanwhile makes it begin again, for ever.
 */
export const KAFKA_IDLE_MS = 12_000;
