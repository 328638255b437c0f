import { createLogger, type LogLevel, type Logger } from '@commservice/telemetry';

/** One log line as it was written. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

export interface LogSink {
  /** Give this to what is tested. */
  readonly logger: Logger;
  /** Every line so far, oldest first. */
  lines(): LogLine[];
  /** Lines of one level. */
  at(level: LogLevel): LogLine[];
  /** The raw text, for "no address in any log line". */
  text(): string;
  clear(): void;
}

/** A real logger (redaction included) whose lines are kept in memory instead of being written. */
export function logSink(level: LogLevel = 'debug'): LogSink {
  let raw: string[] = [];
  const logger = createLogger({
    service: 'test',
    pod: 'test-1',
    level,
    destination: { write: (line) => void raw.push(line) },
  });
  const lines = (): LogLine[] => raw.map((line) => JSON.parse(line) as LogLine);
  return {
    logger,
    lines,
    at: (wanted) => lines().filter((line) => line.level === wanted),
    text: () => raw.join(''),
    clear() {
      raw = [];
    },
  };
}
