import { randomBytes } from 'node:crypto';

/** A name no other test uses: the prefix and ten random characters. Fit for topics, groups and ids. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** A key prefix for Redis that no other test uses, with its colon at the end. */
export function redisPrefix(name = 'test'): string {
  return `${uniqueName(name)}:`;
}
