/** Fields of one log line: ids, names, counts, durations. Never addresses, texts, codes or secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What every part of the platform logs through. A line is one plain sentence plus fields; put an error under `err`. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger whose every line also carries `fields`. */
  child(fields: LogFields): Logger;
}

/** Logs nothing: for tests. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
