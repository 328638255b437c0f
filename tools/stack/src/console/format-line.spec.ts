import { LineFormatter } from './format-line.js';

const at = new Date(2026, 0, 2, 12, 3, 4, 123);
const plain = new LineFormatter({ colour: false, nameWidth: 6, now: () => at });

describe('LineFormatter', () => {
  it('shows time, process, level, message and fields of a JSON line', () => {
    const raw = JSON.stringify({
      level: 'warn',
      time: at.toISOString(),
      pod: 'sms-1',
      msg: 'slow',
      lane: 'sms:P1',
      waitMs: 7,
    });
    expect(plain.line('sms-1', raw)).toBe('12:03:04.123 sms-1   warn   slow  lane=sms:P1  waitMs=7');
  });

  it('reads levels written as numbers', () => {
    expect(plain.line('a', `{"level":50,"time":${at.getTime()},"msg":"broken"}`)).toBe(
      '12:03:04.123 a       error  broken',
    );
  });

  it('quotes values with blanks and shows objects as JSON', () => {
    const raw = JSON.stringify({
      level: 'info',
      time: at.getTime(),
      msg: 'm',
      why: 'two words',
      err: { code: 'E1' },
    });
    expect(plain.line('a', raw)).toMatch(/m {2}why="two words" {2}err=\{"code":"E1"\}$/);
  });

  it.each(['provider sandbox on http://127.0.0.1:3900', '{"no":"log line"}', '{broken'])(
    'passes %s through',
    (raw) => {
      expect(plain.line('a', raw)).toBe(`12:03:04.123 a              ${raw}`);
    },
  );

  it('colours only when told to', () => {
    const raw = JSON.stringify({ level: 'error', time: at.getTime(), msg: 'm' });
    expect(plain.line('a', raw)).not.toContain('\u001b');
    expect(new LineFormatter({ colour: true, nameWidth: 6 }).line('a', raw)).toContain(
      '\u001b[31merror\u001b[0m',
    );
  });
});
