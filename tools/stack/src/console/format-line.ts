/** What a log line says, whoever wrote it. */
interface Entry {
  readonly time: Date;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Said already by the line's own columns. */
const COLUMNS = new Set(['time', 'level', 'msg', 'pod', 'service', 'pid', 'hostname', 'v']);
const LEVEL_OF_NUMBER: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const COLOUR: Record<string, number> = { debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };
const LONGEST_VALUE = 2_000;

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const json = JSON.parse(line) as Record<string, unknown>;
    const level =
      typeof json.level === 'number' ? (LEVEL_OF_NUMBER[json.level] ?? String(json.level)) : json.level;
    const time = new Date(json.time as string | number);
    if (typeof level !== 'string' || typeof json.msg !== 'string' || Number.isNaN(time.getTime()))
      return undefined;
    const fields = Object.fromEntries(Object.entries(json).filter(([key]) => !COLUMNS.has(key)));
    return { time, level, message: json.msg, fields };
  } catch {
    return undefined;
  }
}

function clockOf(time: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const ms = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${ms}`;
}

function valueOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const quoted = /[\s"=]/.test(text) && typeof value === 'string' ? JSON.stringify(text) : text;
  return quoted.length > LONGEST_VALUE ? `${quoted.slice(0, LONGEST_VALUE)}…` : quoted;
}

/** Turns log lines of all processes into one readable form. */
export class LineFormatter {
  constructor(
    private readonly options: {
      /** Whether the output is a terminal. */
      readonly colour: boolean;
      /** Width of the column of names. */
      readonly nameWidth: number;
      readonly now?: () => Date;
    },
  ) {}

  /** `12:03:04.123 sms-1  info  message  key=value`; a line that is no JSON log line stays as it is. */
  line(name: string, raw: string): string {
    const entry = parse(raw);
    if (!entry) return this.columns(this.options.now?.() ?? new Date(), name, '', raw);
    const fields = Object.entries(entry.fields).map(([key, value]) => this.dim(`${key}=${valueOf(value)}`));
    return this.columns(entry.time, name, entry.level, [entry.message, ...fields].join('  '));
  }

  private columns(time: Date, name: string, level: string, rest: string): string {
    const padded = level.padEnd(5);
    const colour = COLOUR[level];
    const shown =
      this.options.colour && colour !== undefined ? `\u001b[${colour}m${padded}\u001b[0m` : padded;
    return `${this.dim(clockOf(time))} ${name.padEnd(this.options.nameWidth)}  ${shown}  ${rest}`;
  }

  private dim(text: string): string {
    return this.options.colour ? `\u001b[2m${text}\u001b[0m` : text;
  }
}
