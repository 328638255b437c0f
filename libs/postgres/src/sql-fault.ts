/**
 * What kind of fault a rejected query was.
 * - `unavailable`: the server is away, starting, full or too slow; the same query may succeed later.
 * - `data`: a value does not fit its column; the same query fails for ever.
 * - `bug`: anything else (syntax, missing table, a fault of ours).
 */
export type SqlFault = 'unavailable' | 'data' | 'bug';

// 08 connection, 53 resources, 57 operator intervention, 40 serialization and deadlock, 25006 read-only after failover,
// 55P03 lock not available. 57014 is our own statement timeout.
const UNAVAILABLE = /^(08...|53...|57...|40...|25006|55P03)$/;
const DATA = /^(22...|23...)$/;

/** Classifies by SQLSTATE; an error without one comes from the socket or from pg's own deadlines. */
export function sqlFaultOf(error: unknown): SqlFault {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string')
    return error instanceof Error && !(error instanceof TypeError) ? 'unavailable' : 'bug';
  if (DATA.test(code)) return 'data';
  if (UNAVAILABLE.test(code) || /^E[A-Z_]+$/.test(code)) return 'unavailable';
  return 'bug';
}
