import { seconds } from '../scale.js';

/** After how long without a word the journeys' broker closes a connection. */
export const KAFKA_IDLE_MS = seconds(4, 10) * 1000;
