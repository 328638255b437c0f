import type { Receipt, WebhookResult } from '@commservice/contracts';

const MAX_BYTES = 1024 * 1024;
const MAX_RECEIPTS = 10_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

const refused = (reason: string): WebhookResult => ({ ok: false, status: 400, reason });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads `{receipts: [{id, providerId, state, at}]}`: all of it or nothing. `at` is an RFC 3339 time or epoch ms. Fields we
 * do not know are ignored, as vendors add some. Reasons name the place and the rule, never a value.
 */
export function parseReceipts(raw: Buffer): WebhookResult {
  if (raw.length > MAX_BYTES) return refused('the body is larger than 1 MiB');
  let json: unknown;
  try {
    json = JSON.parse(raw.toString('utf8'));
  } catch {
    return refused('the body is not JSON');
  }
  const list = isObject(json) ? json.receipts : undefined;
  if (!Array.isArray(list)) return refused('/receipts: must be a list');
  if (list.length > MAX_RECEIPTS) return refused(`/receipts: holds more than ${MAX_RECEIPTS}`);
  const receipts: Receipt[] = [];
  for (const [i, entry] of list.entries()) {
    const receipt = receiptOf(entry);
    if (typeof receipt === 'string') return refused(`/receipts/${i}${receipt}`);
    receipts.push(receipt);
  }
  return { ok: true, receipts };
}

/** The receipt, or what is wrong with it. */
function receiptOf(entry: unknown): Receipt | string {
  if (!isObject(entry)) return ': must be an object';
  const { id, providerId, state } = entry;
  if (typeof id !== 'string' || !UUID.test(id)) return '/id: must be a message id';
  if (typeof providerId !== 'string' || providerId === '' || providerId.length > 256) {
    return '/providerId: must be a text of at most 256';
  }
  if (state !== 'delivered' && state !== 'undelivered') return '/state: must be delivered or undelivered';
  const at = epochMs(entry.at);
  return at === undefined
    ? '/at: must be an RFC 3339 time or epoch milliseconds'
    : { id, providerId, state, at };
}

function epochMs(at: unknown): number | undefined {
  if (typeof at === 'number') return Number.isSafeInteger(at) && at > 0 ? at : undefined;
  if (typeof at !== 'string' || !TIMESTAMP.test(at)) return undefined;
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? undefined : ms;
}
