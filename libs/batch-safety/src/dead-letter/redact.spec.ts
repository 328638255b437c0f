import fc from 'fast-check';
import { MAX_MESSAGE_BYTES, cutUtf8, redact } from './redact.js';

function parseFault(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('redact', () => {
  it.each([
    ['mail to alice.b+x@example.co.uk bounced', 'alice'],
    ['number +44 7700 900-123 is barred', '900'],
    ['number 447700900123 is barred', '447700'],
    ['number (07700) 900123 is barred', '900123'],
    ['text was Code 481516', '481516'],
    ['code 4815 refused', '4815'],
    ['Authorization: Bearer abc.def', 'abc.def'],
    ['token=s3cr3t', 's3cr3t'],
    ['registration fGx1k2:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx is gone', 'APA91b'],
    ['key live_demo_key_4f3d2a1b9c8e7f6a5d4c unknown', '4f3d2a'],
    [parseFault('{"to":alice@exam}'), 'alice'],
    [parseFault('[1, hidden words]'), 'hidden'],
    [parseFault('Dear Alice, your flight'), 'Alice'],
  ])('%s loses %s', (text, secret) => {
    expect(text).toContain(secret);
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    'the provider answered 503 after 10000 ms',
    'message 01890a5d-ac96-774b-bcce-b302099a8057 was refused: invalid_number',
    '/expiresAt: invalid_type; /units: too_small',
    'the value is not JSON',
  ])('keeps what a person needs: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('stays within its bound, never tears a character, and ends in time on any input', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3000 }),
      fc.stringMatching(/^[\d ().+-]{0,6000}$/, { size: 'max' }),
      fc.stringMatching(/^[a-z0-9@._=-]{0,6000}$/, { size: 'max' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const safe = redact(text);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
        expect(Buffer.from(safe).toString()).toBe(safe);
      }),
      { numRuns: 200 },
    );
  });

  it('finishes long hostile texts quickly', () => {
    const startedAt = performance.now();
    for (const unit of ['1', '1 ', 'a1', 'a@', '"', '-', 'bearer ', 'é']) redact(unit.repeat(200_000));
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('cuts text at a character boundary', () => {
    expect(cutUtf8('aéé', 4)).toBe('aé');
    expect(cutUtf8('😀😀', 7)).toBe('😀');
    expect(cutUtf8('abc', 3)).toBe('abc');
  });
});
