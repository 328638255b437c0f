import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

/**
 * Message ids: UUIDv7 (RFC 9562) whose random bits carry a 32-bit MAC over time, the other random bits and the team, so
 * an id that is not projected yet is still known to be ours, and another team's id is unknown.
 *
 * Layout (16 bytes): 48 bits epoch ms | version 7 | 12 random | variant | 30 random | 32 MAC.
 */
export class MessageIds {
  /** Imported once: an HMAC under a raw key costs six times as much. */
  private readonly macKey: KeyObject;

  /**
   * @param macKey secret of at least 16 bytes, the same in every pod
   * @param random source of random bytes, injected for tests
   */
  constructor(
    macKey: Buffer,
    private readonly random: (bytes: number) => Buffer = randomBytes,
  ) {
    if (macKey.length < 16) throw new RangeError('the MAC key of message ids needs at least 16 bytes');
    this.macKey = createSecretKey(macKey);
  }

  /** A new id of `team`, made at `nowEpochMs`. */
  create(team: string, nowEpochMs: number): string {
    const bytes = Buffer.alloc(16);
    bytes.writeUIntBE(nowEpochMs, 0, 6);
    this.random(6).copy(bytes, 6);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    this.mac(bytes, team).copy(bytes, 12);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Epoch ms at which `id` was made for `team`, or undefined when this platform never made it for that team. */
  verify(id: string, team: string): number | undefined {
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return undefined;
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    return this.mac(bytes, team).equals(bytes.subarray(12)) ? bytes.readUIntBE(0, 6) : undefined;
  }

  private mac(bytes: Buffer, team: string): Buffer {
    return createHmac('sha256', this.macKey)
      .update(bytes.subarray(0, 12))
      .update(team)
      .digest()
      .subarray(0, 4);
  }
}
