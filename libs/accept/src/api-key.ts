import { createHash, timingSafeEqual } from 'node:crypto';
import type { Catalogue, CatalogueKey } from '@commservice/contracts';

/** Longest header we hash: keys are far shorter. */
const MAX_HEADER_CHARS = 512;
const hashes = new WeakMap<CatalogueKey, Buffer>();

function hashOf(key: CatalogueKey): Buffer {
  const known = hashes.get(key) ?? Buffer.from(key.sha256, 'hex');
  hashes.set(key, known);
  return known;
}

/**
 * The key that an `Authorization: Bearer` header presents, or undefined when there is none. All keys are compared, each
 * in constant time: the answer's timing tells nothing about them.
 */
export function authenticate(
  authorization: string | undefined,
  catalogue: Catalogue,
): CatalogueKey | undefined {
  if (authorization === undefined || authorization.length > MAX_HEADER_CHARS) return undefined;
  const presented = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  if (presented === undefined) return undefined;
  const hash = createHash('sha256').update(presented).digest();
  let found: CatalogueKey | undefined;
  for (const key of catalogue.keys) if (timingSafeEqual(hashOf(key), hash)) found = key;
  return found;
}
