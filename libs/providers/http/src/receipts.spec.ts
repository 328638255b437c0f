import { parseReceipts } from './receipts.js';

const ID = '0197f3a0-0000-7000-8000-000000000001';
const good = { id: ID, providerId: 'v1', state: 'delivered', at: '2026-12-01T12:00:00.000Z' };
const read = (body: unknown) =>
  parseReceipts(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

describe('reading receipts', () => {
  it('reads times as RFC 3339 and as epoch milliseconds', () => {
    const at = Date.parse(good.at);
    const result = read({ receipts: [good, { ...good, state: 'undelivered', at }] });
    expect(result).toEqual({
      ok: true,
      receipts: [
        { ...good, at },
        { ...good, at, state: 'undelivered' },
      ],
    });
  });

  it('ignores fields a vendor adds', () => {
    expect(read({ receipts: [{ ...good, network: 'x' }], page: 1 }).ok).toBe(true);
  });

  it.each([
    ['not JSON', '{', /not JSON/],
    ['no list', { receipts: {} }, /^\/receipts: must be a list/],
    ['an entry that is no object', { receipts: [good, 7] }, /^\/receipts\/1: must be an object/],
    ['a foreign id', { receipts: [{ ...good, id: 'x' }] }, /^\/receipts\/0\/id/],
    ['no provider id', { receipts: [{ ...good, providerId: '' }] }, /providerId/],
    ['an unknown state', { receipts: [{ ...good, state: 'read' }] }, /state/],
    ['a time that is none', { receipts: [{ ...good, at: 'yesterday' }] }, /\/at/],
    ['a huge body', 'x'.repeat(2 << 20), /1 MiB/],
    ['too many', { receipts: Array(10_001).fill(null) }, /10000/],
  ])('refuses %s as a whole, naming place and rule', (_name, body, reason) => {
    const result = read(body);
    expect(result).toMatchObject({ ok: false, status: 400 });
    expect(result.ok ? '' : result.reason).toMatch(reason);
  });
});
