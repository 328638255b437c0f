import pino from 'pino';
import type { LogFields, LogLevel, Logger } from './logger.js';
import { redact } from './redact.js';

export interface LoggerOptions {
  /** App name, on every line. */
  readonly service: string;
  /** Process name, on every line. */
  readonly pod: string;
  /** Least level that is written. */
  readonly level: LogLevel;
  /** Where lines go; default: standard output, written synchronously so that a crash loses none. */
  readonly destination?: { write(line: string): void };
}

/** Writes one JSON object a line: ISO time, level by name, service, pod, fields, message under `msg`. */
export function createLogger(options: LoggerOptions): Logger {
  const sink = options.destination ?? pino.destination({ dest: 1, sync: true });
  const root = pino(
    {
      level: options.level,
      base: { service: options.service, pod: options.pod },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // `redact()` has already reduced errors; pino's own serializer would add its fields back
      serializers: { err: (err: unknown) => err },
    },
    sink,
  );
  return wrap(root);
}

type Write = pino.LogFn;

function wrap(inner: pino.Logger): Logger {
  const at = (level: LogLevel): ((fields: LogFields, message: string) => void) => {
    const write: Write = inner[level].bind(inner);
    // a suppressed level must not pay for the copy
    return (fields, message) => (inner.isLevelEnabled(level) ? write(redact(fields), message) : undefined);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(inner.child(redact(fields))),
  };
}
