import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { TextHeaders } from '@commservice/contracts';
import type { FetchedRecord } from '../record.js';

function headerText(value: IHeaders[string]): string | undefined {
  const last = Array.isArray(value) ? value.at(-1) : value;
  if (last === undefined) return undefined;
  return typeof last === 'string' ? last : last.toString('utf8');
}

/** A record's headers as text; a repeated header keeps its last value. */
export function textHeaders(headers: IHeaders | undefined): TextHeaders {
  const text: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers ?? {})) {
    const decoded = headerText(value);
    if (decoded !== undefined) text[name] = decoded;
  }
  return text;
}

/**
 * kafkajs's message as our record.
 * @param freshFrom first offset of the partition that is fresh, asked for each time: it may lapse while the record waits
 */
export function toRecord(
  topic: string,
  partition: number,
  message: KafkaMessage,
  freshFrom: () => number,
): FetchedRecord {
  const headers = textHeaders(message.headers);
  const offset = Number(message.offset);
  let bytes = (message.key?.length ?? 0) + (message.value?.length ?? 0);
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return {
    topic,
    partition,
    offset,
    key: message.key,
    value: message.value,
    headers,
    timestamp: Number(message.timestamp),
    bytes,
    get fresh() {
      return offset >= freshFrom();
    },
  };
}
