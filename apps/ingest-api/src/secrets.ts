import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Keys this app derives from the master key; every pod derives the same. */
export interface DerivedKeys {
  /** MAC in message ids. */
  readonly idMac: Buffer;
  /** Keyed hash of recipients: the key of lane records. */
  readonly recipientHash: KeyObject;
}

const derive = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, 'commservice', purpose, 32));

/** Derives them (HKDF-SHA-256), one purpose each, so that none tells anything about another. */
export const deriveKeys = (masterKey: Buffer): DerivedKeys => ({
  idMac: derive(masterKey, 'message-id-mac'),
  recipientHash: createSecretKey(derive(masterKey, 'recipient-hash')),
});
