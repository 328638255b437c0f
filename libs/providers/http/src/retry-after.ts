/** No vendor makes us wait longer than this, whatever it says. */
export const MAX_RETRY_AFTER_MS = 15 * 60_000;

/**
 * Milliseconds that a `Retry-After` asks for: seconds (decimals allowed) or an HTTP date, at most 15 minutes. Undefined
 * when there is none, or it is negative or unreadable; a date in the past asks for 0.
 */
export function retryAfterMs(value: string | undefined, nowEpochMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.min(MAX_RETRY_AFTER_MS, Math.ceil(Number(text) * 1000));
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.ceil(at - nowEpochMs)));
}
