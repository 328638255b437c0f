const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The Redis key of an id's claim, the only place that builds one: `c:` and the 16 bytes of a UUID in base64url
 * (22 characters instead of 36, for tens of millions of keys); any other id as it is, behind `c::`.
 */
export function claimKey(id: string): string {
  return UUID.test(id) ? `c:${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}` : `c::${id}`;
}
