import { timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { field, type EnvField, type Parsed } from './env-field.js';

const HIDDEN = '[secret]';

/** A secret value. Printing, logging or serialising it shows `[secret]`; only `bytes()` and `text()` reveal it. */
export class Secret {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  /** A copy of the bytes. */
  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }

  /** The bytes read as UTF-8. */
  text(): string {
    return this.#bytes.toString('utf8');
  }

  /** Compares in constant time. */
  equals(other: Secret): boolean {
    return this.#bytes.length === other.#bytes.length && timingSafeEqual(this.#bytes, other.#bytes);
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

export interface SecretOptions {
  /** Fewest bytes after decoding. */
  readonly minBytes: number;
  /** Most bytes after decoding; default 4096. Set it equal to `minBytes` for a key of fixed length. */
  readonly maxBytes?: number;
  /** How the variable writes the bytes: `text` (UTF-8, default), `hex`, or `base64` (either alphabet, padding optional). */
  readonly encoding?: 'text' | 'hex' | 'base64';
}

const SHAPE = { text: /^[^]+$/, hex: /^([0-9a-fA-F]{2})+$/, base64: /^[A-Za-z0-9+/_-]+={0,2}$/ } as const;
const BUFFER_ENCODING = { text: 'utf8', hex: 'hex', base64: 'base64' } as const;

/** A secret. Never echoed: not in faults, not in the description of the environment, not when printed. */
export function secret(options: SecretOptions): EnvField<Secret> {
  const { minBytes, maxBytes = 4096, encoding = 'text' } = options;
  const size = minBytes === maxBytes ? `exactly ${minBytes} bytes` : `${minBytes} to ${maxBytes} bytes`;
  const parse = (raw: string): Parsed<Secret> => {
    const decoded = SHAPE[encoding].test(raw) ? Buffer.from(raw, BUFFER_ENCODING[encoding]) : undefined;
    const ok = decoded !== undefined && decoded.length >= minBytes && decoded.length <= maxBytes;
    return ok ? { value: new Secret(decoded) } : { rule: `must be ${size} written as ${encoding}` };
  };
  return field(parse, undefined, { secret: true });
}

/** A 32-byte key in base64, such as MASTER_KEY. */
export const secretKey = (): EnvField<Secret> => secret({ minBytes: 32, maxBytes: 32, encoding: 'base64' });
