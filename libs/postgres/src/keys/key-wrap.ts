import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { DataKey } from '@commservice/contracts';

/** A data key as it is stored: its secret encrypted under a master key. */
export interface WrappedKey {
  readonly id: string;
  readonly brand: string;
  readonly day: string;
  readonly masterKeyId: string;
  /** nonce (12) | ciphertext (32) | tag (16). */
  readonly wrapped: Buffer;
}

/** Names a master key without revealing it. */
export function masterKeyId(masterKey: Buffer): string {
  return createHash('sha256').update('commservice master key').update(masterKey).digest('hex').slice(0, 12);
}

const bound = (key: Pick<DataKey, 'id' | 'brand' | 'day'>): Buffer =>
  Buffer.from(`${key.id}|${key.brand}|${key.day}`);

/** A fresh data key of a brand and day. */
export function newDataKey(
  brand: string,
  day: string,
  random: (bytes: number) => Buffer = randomBytes,
): DataKey {
  const id = `${brand}-${day.replaceAll('-', '')}-${random(4).toString('hex')}`;
  return { id, brand, day, secret: random(32) };
}

/** Encrypts a data key (AES-256-GCM); id, brand and day are authenticated, so rows cannot be swapped. */
export function wrapKey(key: DataKey, masterKey: Buffer): WrappedKey {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(bound(key));
  const wrapped = Buffer.concat([nonce, cipher.update(key.secret), cipher.final(), cipher.getAuthTag()]);
  return { id: key.id, brand: key.brand, day: key.day, masterKeyId: masterKeyId(masterKey), wrapped };
}

/** Opens a stored key; undefined when none of the master keys made it, or it was tampered with. */
export function unwrapKey(stored: WrappedKey, masterKeys: readonly Buffer[]): DataKey | undefined {
  const masterKey = masterKeys.find((m) => masterKeyId(m) === stored.masterKeyId);
  if (!masterKey || stored.wrapped.length !== 60) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', masterKey, stored.wrapped.subarray(0, 12)).setAAD(
      bound(stored),
    );
    decipher.setAuthTag(stored.wrapped.subarray(44));
    const secret = Buffer.concat([decipher.update(stored.wrapped.subarray(12, 44)), decipher.final()]);
    return { id: stored.id, brand: stored.brand, day: stored.day, secret };
  } catch {
    return undefined;
  }
}
