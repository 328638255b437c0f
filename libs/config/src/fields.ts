import { field, type EnvField, type Parsed } from './env-field.js';

const WHOLE = /^\d{1,15}$/;
const DECIMAL = /^\d{1,12}(\.\d{1,9})?$/;
/** A name, an IPv4 address, or an IPv6 address in brackets; then a port. */
const HOST_PORT = /^([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/;

interface Range {
  /** Smallest value taken, inclusive. */
  readonly min?: number;
  /** Largest value taken, inclusive. */
  readonly max?: number;
  /** Used when the variable is unset; none = required. */
  readonly default?: number;
}

function inRange(what: string, pattern: RegExp, range: Range): EnvField<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  const bounds = range.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return field<number>(
    (text) => {
      const value = Number(text);
      return pattern.test(text) && value >= min && value <= max
        ? { value }
        : { rule: `must be ${what} ${bounds}` };
    },
    range.default === undefined ? undefined : String(range.default),
  );
}

/** A whole number, by default from 0. */
export const whole = (range: Range = {}): EnvField<number> => inRange('a whole number', WHOLE, range);

/** A decimal number, by default from 0; for shares and rates. */
export const decimal = (range: Range = {}): EnvField<number> => inRange('a number', DECIMAL, range);

/** A TCP port; 0 lets the system choose. */
export const port = (def?: number): EnvField<number> => whole({ max: 65_535, default: def });

/** A duration in whole milliseconds; name the variable `…_MS`. */
export const durationMs = (range: Range = {}): EnvField<number> =>
  inRange('whole milliseconds', WHOLE, range);

/** A size in whole bytes; name the variable `…_BYTES`. */
export const bytes = (range: Range = {}): EnvField<number> => inRange('whole bytes', WHOLE, range);

/** On or off: `true`, `1`, `yes`, `on` or `false`, `0`, `no`, `off`. */
export function flag(def: boolean): EnvField<boolean> {
  const parse = (text: string): Parsed<boolean> => {
    if (/^(true|1|yes|on)$/i.test(text)) return { value: true };
    if (/^(false|0|no|off)$/i.test(text)) return { value: false };
    return { rule: 'must be true or false' };
  };
  return field(parse, String(def));
}

/** One of a closed list of words. */
export function oneOf<const T extends string>(words: readonly T[], def?: NoInfer<T>): EnvField<T> {
  return field<T>((text) => {
    const value = words.find((w) => w === text);
    return value === undefined ? { rule: `must be one of ${words.join(', ')}` } : { value };
  }, def);
}

/** Which rules hold: production refuses every development-only value. Put it in every schema as `NODE_ENV`. */
export const nodeEnv = (): EnvField<'development' | 'test' | 'production'> =>
  oneOf(['development', 'test', 'production'], 'development');

/** Free text of 1 to `maxLength` characters (default 1024), optionally of a given shape. */
export function text(
  options: { default?: string; maxLength?: number; pattern?: { shape: RegExp; rule: string } } = {},
): EnvField<string> {
  const { maxLength = 1024, pattern } = options;
  return field<string>((value) => {
    if (value.length === 0 || value.length > maxLength)
      return { rule: `must have 1 to ${maxLength} characters` };
    return pattern && !pattern.shape.test(value) ? { rule: pattern.rule } : { value };
  }, options.default);
}

/** Words separated by commas, without blanks and repetitions; an empty list only by an empty default. */
export function list(
  options: { default?: string; of?: (item: string) => Parsed<string> } = {},
): EnvField<readonly string[]> {
  const { of = (value: string): Parsed<string> => ({ value }) } = options;
  return field((raw) => {
    const items = raw
      .split(',')
      .map((s) => s.trim())
      .filter((s) => s !== '');
    const parsed = [...new Set(items)].map(of);
    const fault = parsed.find((p) => 'rule' in p);
    if (fault) return fault;
    if (items.length === 0 && options.default !== '') return { rule: 'must list at least one item' };
    return { value: parsed.flatMap((p) => ('value' in p ? [p.value] : [])) };
  }, options.default);
}

/** A comma-separated list of words from a closed list. */
export function listOf<const T extends string>(words: readonly T[], def?: string): EnvField<readonly T[]> {
  const of = (item: string): Parsed<string> =>
    words.some((w) => w === item) ? { value: item } : { rule: `must list only ${words.join(', ')}` };
  return list({ default: def, of }) as EnvField<readonly T[]>;
}

/** A comma-separated list of `host:port`, for example KAFKA_BROKERS. IPv6 addresses stand in brackets. */
export function hostPorts(def?: string): EnvField<readonly string[]> {
  const of = (item: string): Parsed<string> => {
    const portText = HOST_PORT.exec(item)?.[2];
    const ok = portText !== undefined && Number(portText) >= 1 && Number(portText) <= 65_535;
    return ok ? { value: item } : { rule: 'must be a comma-separated list of host:port' };
  };
  return list({ default: def, of });
}

/** An absolute URL with one of the given schemes (`['redis', 'rediss']`). Its password is hidden wherever it is shown. */
export function url(schemes: readonly string[], def?: string): EnvField<string> {
  return field<string>((value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : undefined;
    const ok = scheme !== undefined && schemes.includes(scheme);
    return ok
      ? { value }
      : { rule: `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}` };
  }, def);
}
