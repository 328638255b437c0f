import { SandboxConfig } from './config.js';
import { Fates } from './fate.js';
import { KnownIds } from './known-ids.js';

const fatesOf = (change: object, seed = 1) => new Fates(new SandboxConfig({ 'sms-a': change }), seed);
const item = (id: string, phone = '+447700900123', text = 'hello') => ({
  id,
  to: { phone },
  content: { text },
});
const outcomes = (fates: Fates, count: number) =>
  Array.from({ length: count }, (_, i) => fates.decide('sms', 'sms-a', item(`m${i}`)).outcome);

describe('the fate of a call', () => {
  it('is the same for the same seed and order, and another for another seed', () => {
    const dice = { fail: { share: 0.3 }, hang: { share: 0.2 } };
    const first = outcomes(fatesOf(dice, 7), 300);
    expect(outcomes(fatesOf(dice, 7), 300)).toEqual(first);
    expect(outcomes(fatesOf(dice, 8), 300)).not.toEqual(first);
    expect(first.filter((o) => o === 'failed').length).toBeGreaterThan(60);
    expect(first.filter((o) => o === 'hung').length).toBeGreaterThan(30);
  });

  it('is decided per account: one account knows no id of another', () => {
    const fates = new Fates(new SandboxConfig(), 1);
    expect(fates.decide('sms', 'sms-a', item('m')).outcome).toBe('accepted');
    expect(fates.decide('sms', 'sms-a', item('m')).outcome).toBe('duplicate');
    expect(fates.decide('sms', 'sms-b', item('m')).outcome).toBe('accepted');
  });

  it('is acceptance again and again where the account is not idempotent', () => {
    const fates = fatesOf({ idempotent: false });
    expect([fates.decide('sms', 'sms-a', item('m')), fates.decide('sms', 'sms-a', item('m'))]).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'accepted' },
    ]);
  });

  it('is refusal by a pattern over address and content', () => {
    const fates = fatesOf({
      refuse: [
        { pattern: 'poison', code: 'bad_text' },
        { pattern: '\\+4470', code: 'bad_number' },
      ],
    });
    expect(fates.decide('sms', 'sms-a', item('a', '+447700900123', 'a poison'))).toMatchObject({
      status: 400,
      code: 'bad_text',
    });
    expect(fates.decide('sms', 'sms-a', item('b', '+447000000000'))).toMatchObject({ code: 'bad_number' });
    expect(fates.decide('sms', 'sms-a', item('c')).outcome).toBe('accepted');
    expect(fates.refusalOf('sms', 'sms-a', [item('d'), item('e', '+447700900123', 'poison')])).toBe(
      'bad_text',
    );
  });

  it('changes with the try at recipients that recover', () => {
    const fates = fatesOf({});
    const tries = (digits: string, n: number) =>
      Array.from(
        { length: n },
        () => fates.decide('sms', 'sms-a', item(digits, `+7900555${digits}`)).outcome,
      );
    expect(tries('0429', 3)).toEqual(['throttled', 'throttled', 'accepted']);
    expect(tries('0501', 2)).toEqual(['failed', 'accepted']);
    expect(tries('0500', 3)).toEqual(['failed', 'failed', 'failed']);
    expect(tries('0408', 2)).toEqual(['hung', 'hung']);
    expect(tries('0409', 2)).toEqual(['accepted', 'duplicate']);
  });

  it('brings the receipts its recipient stands for', () => {
    const fates = fatesOf({ receipts: { delayMs: 10 } });
    const receipts = (digits: string) =>
      fates.decide('sms', 'sms-a', item(digits, `+7900555${digits}`)).receipts;
    const usual = { delayMs: 10, state: 'delivered' };
    expect(receipts('9999')).toEqual([usual]);
    expect(receipts('0202')).toEqual([usual, usual]);
    expect(receipts('0404')).toEqual([{ delayMs: 10, state: 'undelivered' }]);
    expect(receipts('0201')).toEqual([{ delayMs: 5_010, state: 'delivered' }]);
    expect(receipts('0403')).toEqual([]);
  });
});

describe('known ids', () => {
  it('keep at least the last of their capacity, and no more than a bound', () => {
    const known = new KnownIds(1_000);
    for (let i = 0; i < 20_000; i++) known.add(`id-${i}`);
    expect(Array.from({ length: 500 }, (_, i) => known.has(`id-${19_999 - i}`)).every(Boolean)).toBe(true);
    expect(known.has('id-0')).toBe(false);
  });
});
