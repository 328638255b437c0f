import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../logger.js';
import { maskAddresses } from '../mask.js';
import { isError } from '../serialize-error.js';

/** Nest's own messages in our log: its start-up chatter at `debug`, its warnings and errors as such. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, textOf(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: contextOf(rest) }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // what fails while listening is thrown too, and explained by runService
    if (contextOf(rest) === 'NestApplication') return this.log(message, ...rest);
    const err = [message, ...rest].find(isError);
    this.logger.error({ context: contextOf(rest), ...(err ? { err } : {}) }, textOf(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.error(message, ...rest);
  }
}

/** Nest passes its context name last, after a stack where there is one. */
function contextOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' && !last.includes('\n') ? last : undefined;
}

function textOf(message: unknown): string {
  if (isError(message)) return 'a request handler failed';
  return typeof message === 'string' ? maskAddresses(message) : 'a message of the framework';
}
