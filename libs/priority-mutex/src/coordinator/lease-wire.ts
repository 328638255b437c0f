import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { Edge, GrantedSlot, Hold, LeaseAnswer, LeaseRequest } from './coordinator.js';
import { triple } from './scope-state.js';

/** How long a scope's state outlives its last lease, ms. */
export const STATE_LIFETIME_MS = 60_000;

/** ARGV of `lua/lease-2.lua`. */
export function leaseArgs(r: LeaseRequest, testTimeMs?: number): (string | number)[] {
  return [
    r.pod,
    r.ratePerSecond,
    r.mode,
    triple(r.shares).join(','),
    triple(r.demand).join(','),
    triple(r.ownership).join(','),
    PRIORITIES.map((p) => (r.pressing.includes(p) ? 1 : 0)).join(','),
    r.pressForMs,
    r.wantsStock ? 1 : 0,
    r.p1Started,
    r.released.join(','),
    r.grid,
    r.seenSequence,
    r.horizonMs,
    r.nextCallWithinMs,
    r.maxBlockMs,
    testTimeMs ?? '',
    STATE_LIFETIME_MS,
    r.catalogueVersion,
  ];
}

const isPriority = (text: string | undefined): text is Priority => PRIORITIES.some((p) => p === text);

function parseHolds(text: string): Hold[] {
  return text.split(';').flatMap((part) => {
    const [priority, pod, until] = part.split(' ');
    const untilMs = Number(until);
    return isPriority(priority) && pod && Number.isFinite(untilMs) ? [{ priority, pod, untilMs }] : [];
  });
}

const numbers = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

/** Reads what `lua/lease-2.lua` returns; undefined when it is not that: a wrong script or server. */
export function parseAnswer(value: unknown): LeaseAnswer | undefined {
  if (!Array.isArray(value) || value.length !== 19) return undefined;
  const f = value.map(String);
  const at = (i: number): string => f[i - 1] as string;
  const [originMs, stepMs] = [Number(at(5)), Number(at(6))];
  const slots = (text: string, priority: Priority, minimumShare: boolean): GrantedSlot[] =>
    numbers(text).map((slot) => ({ slot, dueMs: originMs + slot * stepMs, priority, minimumShare }));
  const since = numbers(at(13));
  const [p1 = NaN, p2 = NaN, p3 = NaN] = numbers(at(19));
  if (![originMs, stepMs, Number(at(1)), ...since, p1, p2, p3].every(Number.isFinite)) return undefined;
  return {
    nowMs: Number(at(1)),
    run: at(2),
    sequence: Number(at(3)),
    grid: Number(at(4)),
    slots: [
      ...slots(at(10), 'P2', true),
      ...slots(at(11), 'P3', true),
      ...slots(at(7), 'P1', false),
      ...slots(at(8), 'P2', false),
      ...slots(at(9), 'P3', false),
    ],
    holds: parseHolds(at(12)),
    blockedSinceMs: { P1: since[0] ?? 0, P2: since[1] ?? 0, P3: since[2] ?? 0 },
    pods: Number(at(14)),
    versions: { oldest: Number(at(17)), newest: Number(at(18)) },
    shares: { P1: p1, P2: p2, P3: p3 },
    ratePerSecond: Number(at(15)),
    stepMs,
    stockAllowed: Number(at(16)),
  };
}

/** Reads an edge; undefined when it is none of ours. */
export function parseEdge(text: string): Edge | undefined {
  const [head = '', ...rest] = text.split(';');
  const [kind, pod] = head.split(' ');
  if (!pod) return undefined;
  if (kind === 'press') return { kind, pod, holds: parseHolds(rest.join(';')) };
  return kind === 'freed' ? { kind, pod } : undefined;
}
