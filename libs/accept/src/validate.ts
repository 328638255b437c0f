import {
  BATCH_ITEM_SCHEMAS,
  CHANNELS,
  ENVELOPE_SCHEMA,
  MESSAGE_REQUEST_SCHEMAS,
  type BatchItem,
  type Channel,
  type FieldError,
} from '@commservice/contracts';
import { fault, MAX_FAULTS } from './faults.js';
import { faultsOf } from './issues.js';
import { structureFaults } from './structure.js';

/** The fields of a request that passed their own schema; the others are absent. */
export type SoundFields = { readonly [K in keyof BatchItem]?: BatchItem[K] };

export interface Validated {
  /** Set when nothing is wrong. */
  readonly request?: BatchItem;
  /** What may be judged further, so that all faults are found in one go. */
  readonly sound: SoundFields;
  readonly faults: FieldError[];
}

const isChannel = (value: unknown): value is Channel => CHANNELS.some((c) => c === value);

function soundFields(raw: Readonly<Record<string, unknown>>, faults: readonly FieldError[]): SoundFields {
  const broken = new Set(faults.map((f) => f.pointer.split('/')[1] ?? ''));
  const fields = ['channel', 'brand', 'category', 'to', 'content', 'ttl'].filter(
    (key) => Object.hasOwn(raw, key) && !broken.has(key),
  );
  // each of them was checked by its schema just now
  return Object.fromEntries(fields.map((key) => [key, raw[key]]));
}

/** One rule may be found broken twice: an empty text is blank too. */
const unique = (faults: readonly FieldError[]): FieldError[] => [
  ...new Map(faults.map((f) => [`${f.pointer} ${f.code}`, f])).values(),
];

/**
 * Checks the shape of one message: every field against the schema of its channel, unknown fields refused, all faults at
 * once. Never throws, whatever JSON it is given.
 * @param inBatch whether the item may carry `idempotencyKey`
 */
export function validate(raw: unknown, inBatch: boolean): Validated {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { sound: {}, faults: [fault('', 'body_not_object')] };
  }
  const structure = structureFaults(raw);
  if (structure.some((f) => f.code === 'too_complex' || f.code === 'too_deep'))
    return { sound: {}, faults: structure };
  const record = raw as Record<string, unknown>;
  const channel = Object.hasOwn(record, 'channel') ? record['channel'] : undefined;
  const known = isChannel(channel);
  const schema = known ? (inBatch ? BATCH_ITEM_SCHEMAS : MESSAGE_REQUEST_SCHEMAS)[channel] : ENVELOPE_SCHEMA;
  const parsed = schema.safeParse(raw);
  const faults = unique([...structure, ...(parsed.success ? [] : faultsOf(parsed.error.issues, raw))]);
  if (faults.length === 0)
    return { request: parsed.data as BatchItem, sound: parsed.data as BatchItem, faults };
  const sound = soundFields(record, faults);
  return {
    sound: known ? sound : { ...sound, to: undefined, content: undefined },
    faults: faults.slice(0, MAX_FAULTS),
  };
}
