/** Why Redis gave no answer. Unreachable is not the same as any answer: callers must treat it as "not known". */
export const NO_ANSWER_REASONS = [
  'not-connected', // nothing was sent
  'overloaded', // too many calls unanswered already; nothing was sent
  'closed', // this connection was closed by us; nothing was sent
  'deadline', // sent, not answered in time: it may still have an effect
  'connection-lost', // sent, then the connection broke: it may have had an effect
  'refused', // the server refused: loading, read-only replica, out of memory, busy
  'script-error', // the script or the command is wrong: a bug, logged as an error
] as const;
export type NoAnswerReason = (typeof NO_ANSWER_REASONS)[number];

/** What a call came to. An expected outcome, never thrown. */
export type RedisAnswer<T = unknown> =
  { kind: 'answer'; value: T } | { kind: 'no-answer'; reason: NoAnswerReason };

const REFUSALS =
  /^(LOADING|READONLY|OOM|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|NOREPLICAS|MISCONF|NOSCRIPT|NOAUTH|WRONGPASS|NOPERM)\b/;

/** Sorts an ioredis error. `sent` tells whether the command may have reached the server. */
export function reasonOf(error: unknown): NoAnswerReason {
  const message = error instanceof Error ? error.message : '';
  const name = error instanceof Error ? error.name : '';
  if (name === 'ReplyError') return REFUSALS.test(message) ? 'refused' : 'script-error';
  if (/isn't writeable|Connection is closed/.test(message)) return 'not-connected';
  return 'connection-lost';
}

export const isNoScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');
