import { teamOf } from './team-of.js';

const of = (value: unknown): string => teamOf(Buffer.from(JSON.stringify(value)));

describe('teamOf', () => {
  it('reads the team of a record without decoding it', () => {
    expect(of({ id: 'x', reference: 'r-1', team: 'demo', channel: 'sms' })).toBe('demo');
  });

  it('is not taken in by a reference that looks like the field', () => {
    expect(of({ id: 'x', reference: '","team":"other', team: 'demo' })).toBe('demo');
    expect(of({ id: 'x', reference: '"team":"other"' })).toBe('');
  });

  it('knows no team of what is no record', () => {
    expect([teamOf(null), teamOf(Buffer.from('{')), teamOf(Buffer.from('"team":"cut'))]).toEqual([
      '',
      '',
      '',
    ]);
  });
});
