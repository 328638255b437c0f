import { PRIORITIES, decodeEvent, eventsTopic, isTerminal, type Status } from '@commservice/contracts';
import { readAll, until } from '@commservice/testkit';
import type { Api } from '../client/api.js';
import type { SandboxView } from '../client/sandbox.js';
import type { JourneyPlatform } from '../platform/journey-platform.js';

export interface EndOptions {
  /** Longest wait for all, ms. */
  readonly deadlineMs: number;
  /** Gives up when no further message ends for this long, ms. Default 25 000: a dead pod's session and a retry tier. */
  readonly stallMs?: number;
}

/** Waits until the read model shows a final state for every id; the number of ids in each state. */
export async function untilAllEnded(
  api: Api,
  ids: readonly string[],
  options: EndOptions,
): Promise<Record<string, number>> {
  let states: Record<string, number> = {};
  let open: string[] = [];
  await until(
    async () => {
      const known = new Map((await api.all()).map((m) => [m.id, m.status]));
      const statusOf = (id: string): Status => known.get(id) ?? 'accepted';
      open = ids.filter((id) => !isTerminal(statusOf(id)));
      states = tally(ids.map(statusOf));
      return open.length === 0;
    },
    {
      deadlineMs: options.deadlineMs,
      stallMs: options.stallMs ?? 25_000,
      everyMs: 300,
      describe: () =>
        `${open.length} of ${ids.length} open (${JSON.stringify(states)}), for example ${open.slice(0, 3).join(', ')}`,
    },
  );
  return states;
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Final states of each id as the events say, per redrive generation 0; a sound run has one for each. */
export async function finalStates(
  platform: JourneyPlatform,
  ids: readonly string[],
): Promise<Map<string, Set<Status>>> {
  const wanted = new Map(ids.map((id) => [id, new Set<Status>()]));
  for (const priority of PRIORITIES) {
    const records = await readAll(eventsTopic(priority), {
      brokers: [platform.urls.kafka],
      deadlineMs: 30_000,
    });
    for (const { value } of records) {
      const event = decodeEvent(value);
      if (event && event.generation === 0 && isTerminal(event.status))
        wanted.get(event.id)?.add(event.status);
    }
  }
  return wanted;
}

/** How often the provider took each id. */
export interface ProviderTally {
  /** Ids that the provider never accepted. */
  readonly never: string[];
  /** Ids it accepted more than once. */
  readonly twice: string[];
  /** Repeats that it recognised by their key. */
  readonly repeats: number;
}

export function providerTally(sandbox: SandboxView, ids: readonly string[]): ProviderTally {
  const accepted = new Map<string, number>();
  for (const call of sandbox.calls) {
    if (call.outcome === 'accepted') accepted.set(call.id, (accepted.get(call.id) ?? 0) + 1);
  }
  return {
    never: ids.filter((id) => !accepted.has(id)),
    twice: ids.filter((id) => (accepted.get(id) ?? 0) > 1),
    repeats: sandbox.count((call) => call.outcome === 'duplicate'),
  };
}

/**
 * Promise 7 for messages that can all be delivered: each ends as delivered and in no other state, each was accepted by the
 * provider once. Returns the number of repeats the provider recognised.
 */
export async function expectConserved(
  world: { platform: JourneyPlatform; api: Api; sandbox: SandboxView },
  ids: readonly string[],
  options: EndOptions,
): Promise<number> {
  expect(new Set(ids).size).toBe(ids.length);
  expect(await untilAllEnded(world.api, ids, options)).toEqual({ delivered: ids.length });
  const states = await finalStates(world.platform, ids);
  const unsound = [...states]
    .filter(([, set]) => set.size !== 1)
    .map(([id, set]) => `${id}: ${[...set].join(' and ') || 'none'}`);
  expect(unsound).toEqual([]);
  await world.sandbox.see();
  const { never, twice, repeats } = providerTally(world.sandbox, ids);
  expect({ never, twice }).toEqual({ never: [], twice: [] });
  return repeats;
}
