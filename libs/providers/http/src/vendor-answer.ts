import type { Address } from '@commservice/contracts';

/** The fields of a vendor's answer that we read. */
export interface VendorAnswer {
  readonly providerId?: string;
  readonly units?: number;
  /** Safe to log: see `safeCode`. Undefined when the answer names none. */
  readonly code?: string;
}

/** Reads an answer's body; undefined when it is no JSON object. */
export function readVendorAnswer(body: Buffer | undefined, address: Address): VendorAnswer | undefined {
  if (body === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    const { providerId, units, code } = json as Record<string, unknown>;
    return {
      providerId:
        typeof providerId === 'string' && providerId !== '' && providerId.length <= 256
          ? providerId
          : undefined,
      units: typeof units === 'number' && Number.isSafeInteger(units) && units >= 1 ? units : undefined,
      code: code === undefined ? undefined : safeCode(code, address),
    };
  } catch {
    return undefined;
  }
}

/** Stands for a code that may carry what must not be logged. */
export const UNREADABLE_CODE = 'unreadable_code';

/**
 * A vendor's code as it may be logged and stored. Vendors echo: whatever is no short word, has four digits in a row (a
 * phone, a one-time code) or contains a part of the address is replaced.
 */
export function safeCode(code: unknown, address: Address): string {
  const text = typeof code === 'number' && Number.isSafeInteger(code) ? `vendor_${code % 1000}` : code;
  if (typeof text !== 'string' || !/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text) || /\d{4}/.test(text))
    return UNREADABLE_CODE;
  const lower = text.toLowerCase();
  const secrets = Object.entries(address)
    .filter(([field]) => field !== 'platform' && field !== 'service')
    .flatMap(([, value]) => String(value).toLowerCase().split('@'));
  return secrets.some((s) => s.length >= 4 && lower.includes(s)) ? UNREADABLE_CODE : text;
}
