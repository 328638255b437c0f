import { createHash } from 'node:crypto';
import { STATUS_RANK, isTerminal, type MessageEvent } from '@commservice/contracts';

/*
 * Positions of events as one number that PostgreSQL compares too (bigint):
 *   generation (18 bits) | rank (3 bits) | time (42 bits, epoch ms)
 */
const TIME_BITS = 42n;
const RANK_BITS = 3n;
const MAX_TIME = (1n << TIME_BITS) - 1n;
const MAX_GENERATION = (1 << 18) - 1;
const MAX_INT = 2 ** 31 - 1;

type Placed = Pick<MessageEvent, 'status' | 'generation' | 'at'>;

function place(event: Placed, time: bigint): bigint {
  const head = (BigInt(event.generation) << RANK_BITS) | BigInt(STATUS_RANK[event.status]);
  return (head << TIME_BITS) | time;
}

/**
 * Position in which statuses win: generation, then rank, as `supersedes` of contracts; within one rank the first
 * terminal status stays and the latest other one shows. Every order of arrival so ends in the same status.
 */
export function statusOrder(event: Placed): bigint {
  const time = BigInt(Math.round(event.at));
  return place(event, isTerminal(event.status) ? MAX_TIME - time : time);
}

/** Position in which account, provider id and receipt expectation win: the latest of the highest rank that has them. */
export function routeOrder(event: Placed): bigint {
  return place(event, BigInt(Math.round(event.at)));
}

/** The last millisecond of the year 9999: later ones are written with a sign that PostgreSQL does not read. */
const MAX_DATE = 253_402_300_799_999;
const isDate = (n: number | undefined): boolean => n === undefined || (n >= 0 && n <= MAX_DATE);
const isCount = (n: number | undefined): boolean => n === undefined || (n >= 0 && n <= MAX_INT);

/** Whether all numbers fit their columns. One event that does not must not stop the batch it came in. */
export function isStorable(event: MessageEvent): boolean {
  return (
    event.at >= 0 &&
    event.at < Number(MAX_TIME) &&
    isDate(event.acceptedAt) &&
    isDate(event.expiresAt) &&
    isCount(event.attempt) &&
    isCount(event.units) &&
    event.generation <= MAX_GENERATION
  );
}

/** The same event gives the same key (a UUID's 32 hex digits), so that a redelivered record adds no row. */
export function eventKey(event: MessageEvent): string {
  const { id, status, at, generation, attempt, account, providerId, code } = event;
  const identity = JSON.stringify([id, status, at, generation, attempt, account, providerId, code]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
