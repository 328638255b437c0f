import type { MutexMode } from '@commservice/contracts';
import type { LaneControl } from '@commservice/postgres';

/** Who ordered what holds, since when and why. */
export type Order = Pick<LaneControl, 'actor' | 'at' | 'reason'>;

const iso = (at: number): string => new Date(at).toISOString();
const since = (o: Order): string => `since ${iso(o.at)}, by ${o.actor}: ${o.reason}`;
const FOLLOW = 'Every pod follows within 2 s.';

/** The same in data. */
export const held = (o: Order): { since: string; by: string; reason: string } => ({
  since: iso(o.at),
  by: o.actor,
  reason: o.reason,
});

const EFFECT: Readonly<Record<MutexMode, string>> = {
  contention: 'Lower classes stand back while a higher one has to wait.',
  strict: 'Lower classes stand back while a higher one is active.',
  local: 'Each pod counts by itself and asks no other: for one pod only.',
  noop: 'No class stands back for another; each has its share of the rate.',
};

export const paused = (c: LaneControl, changed: boolean): string =>
  changed
    ? `Lane ${c.name} and its retry lane are paused ${since(c)}. ${FOLLOW} What is in the air is settled; the rest waits.`
    : `Lane ${c.name} was paused already, ${since(c)}. Nothing changed.`;

export const resumed = (was: LaneControl, now: Order): string =>
  `Lane ${was.name} and its retry lane send again ${since(now)}. ${FOLLOW} They were paused ${since(was)}.`;

export const notPaused = (lane: string): string => `Lane ${lane} was not paused. Nothing changed.`;

export const modeSet = (c: LaneControl, changed: boolean): string =>
  changed
    ? `Scope ${c.name} is in mode ${c.value} ${since(c)}. ${EFFECT[c.value as MutexMode]} ${FOLLOW}`
    : `Scope ${c.name} was in mode ${c.value} already, ${since(c)}. Nothing changed.`;

export const modeCleared = (was: LaneControl, mode: MutexMode, now: Order): string =>
  `Scope ${was.name} is in mode ${mode} again, as the catalogue says, ${since(now)}. ${EFFECT[mode]} ${FOLLOW}`;

export const modeNotSet = (scope: string, mode: MutexMode): string =>
  `Scope ${scope} is in mode ${mode}, as the catalogue says; no operator had set another. Nothing changed.`;
