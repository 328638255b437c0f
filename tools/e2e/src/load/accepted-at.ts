/** When ingest-api accepted a message, epoch ms: the time its id carries (UUIDv7). Before the record was written to Kafka. */
export const acceptedAtMs = (id: string): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);
