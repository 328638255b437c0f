import type { ServerName } from '../servers/server.js';

/** What in a server's log a person should see: warnings and errors, by the server's own notation. */
const WORTH_SEEING: Record<ServerName, RegExp> = {
  kafka: /^\S+ (WARN|ERROR|FATAL) /,
  redis:
    /^\d+:\S+ .* # (?!WARNING Memory overcommit|User requested|Redis is now|Server initialized|oO0|Redis version|Configuration)/,
  postgres: /\] (WARNING|ERROR|FATAL|PANIC): /,
};

export const isWorthSeeing = (server: ServerName, line: string): boolean => WORTH_SEEING[server].test(line);
