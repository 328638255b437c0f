import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

/** A data key: 32 random bytes for one brand and one UTC day. Dropping it erases everything sealed under it. */
export interface DataKey {
  readonly id: string;
  readonly brand: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly secret: Buffer;
}

/** Where data keys come from; both answers are from memory, so neither side of a send waits for a store. */
export interface KeyRing {
  /** The key to seal with, or undefined when today's key of that brand is not loaded. */
  current(brand: string, nowEpochMs: number): DataKey | undefined;
  /** The key with that id, or undefined when it was dropped or never loaded. */
  byId(id: string): DataKey | undefined;
}

/** What a look for a key in the store came to. Only `dropped` is for good. */
export type KeyLookup = { kind: 'found'; key: DataKey } | { kind: 'dropped' } | { kind: 'no-answer' };

export type Opened = { kind: 'opened'; text: string } | { kind: 'sealed-forever' } | { kind: 'corrupt' };

const PREFIX = 'sealed.v1';

/** Imported once a data key: sealing under raw bytes costs four times as much. */
const imported = new WeakMap<DataKey, KeyObject>();

function secretOf(key: DataKey): KeyObject {
  const known = imported.get(key) ?? createSecretKey(key.secret);
  imported.set(key, known);
  return known;
}

/**
 * Seals `text` (AES-256-GCM, 96-bit random nonce) for one message; `messageId` is authenticated with it, so a sealed
 * value cannot be moved to another message. Format: `sealed.v1.<keyId>.<base64url(nonce | ciphertext | tag)>`.
 */
export function seal(text: string, key: DataKey, messageId: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secretOf(key), nonce).setAAD(Buffer.from(messageId));
  const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${PREFIX}.${key.id}.${body.toString('base64url')}`;
}

/** Opens what `seal` made: `sealed-forever` when its key is gone, `corrupt` when it fails authentication. */
export function open(sealed: string, keys: Pick<KeyRing, 'byId'>, messageId: string): Opened {
  const m = /^sealed\.v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(sealed);
  if (!m) return { kind: 'corrupt' };
  const key = keys.byId(m[1] as string);
  if (!key) return { kind: 'sealed-forever' };
  const body = Buffer.from(m[2] as string, 'base64url');
  if (body.length < 28) return { kind: 'corrupt' };
  try {
    const decipher = createDecipheriv('aes-256-gcm', secretOf(key), body.subarray(0, 12)).setAAD(
      Buffer.from(messageId),
    );
    decipher.setAuthTag(body.subarray(body.length - 16));
    const text = Buffer.concat([decipher.update(body.subarray(12, body.length - 16)), decipher.final()]);
    return { kind: 'opened', text: text.toString('utf8') };
  } catch {
    return { kind: 'corrupt' };
  }
}
