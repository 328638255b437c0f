import {
  laneName,
  lanesOf,
  perBrandOf,
  type Catalogue,
  type Channel,
  type Lane,
} from '@commservice/contracts';
import { accountsOfLane } from './lane-accounts.js';
import { mostInFlight } from '../account/account-state.js';

/**
 * What of `next` a running dispatcher of `channel` cannot take over, by name, in plain words: brands, lanes, accounts, and
 * what provider connections are built with. Empty = all of it holds now. Pure.
 * @param started the catalogue its lanes were built from
 */
export function needsRestart(started: Catalogue, next: Catalogue, channel: Channel): string[] {
  const named = (what: string, before: readonly string[], after: readonly string[]): string[] => [
    ...after.filter((name) => !before.includes(name)).map((name) => `${what} ${name} is new`),
    ...before.filter((name) => !after.includes(name)).map((name) => `${what} ${name} is gone`),
  ];
  const accounts = (c: Catalogue): string[] =>
    Object.keys(c.accounts).filter((name) => c.accounts[name]?.channel === channel);
  const [before, after] = [lanes(started, channel), lanes(next, channel)];
  return [
    ...named('brand', started.brands, next.brands),
    ...named('lane', [...before.keys()], [...after.keys()]),
    ...named('account', accounts(started), accounts(next)),
    ...[...before].flatMap(([name, lane]) => (after.has(name) ? moved(started, next, lane) : [])),
    ...accounts(started).flatMap((name) => (next.accounts[name] ? rebuilt(started, next, name) : [])),
    ...timings(started, next),
  ];
}

/** Durations of the mutex are read once. */
function timings(
  { mutex: { timing: before } }: Catalogue,
  { mutex: { timing: after } }: Catalogue,
): string[] {
  const fields = Object.keys(before) as (keyof typeof before)[];
  return fields.filter((f) => before[f] !== after[f]).map((f) => `mutex/timing/${f}`);
}

const lanes = (c: Catalogue, channel: Channel): Map<string, Lane> =>
  new Map(lanesOf(c.brands, perBrandOf(c), [channel]).map((lane) => [laneName(lane), lane]));

/** A lane that goes to other accounts. */
function moved(started: Catalogue, next: Catalogue, lane: Lane): string[] {
  const [before, after] = [accountsOfLane(started, lane), accountsOfLane(next, lane)].map((a) =>
    a.join(', '),
  );
  return before === after ? [] : [`lane ${laneName(lane)} goes to ${after} instead of ${before}`];
}

/** An account whose provider would have to be built anew. */
function rebuilt(started: Catalogue, next: Catalogue, name: string): string[] {
  const [before, after] = [started.accounts[name], next.accounts[name]];
  if (!before || !after) return [];
  const most = mostInFlight(before);
  return [
    ...(before.idempotent === after.idempotent ? [] : [`accounts/${name}/idempotent`]),
    ...(after.inFlight <= most ? [] : [`accounts/${name}/inFlight above ${most}`]),
  ];
}
