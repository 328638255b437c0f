import type { World } from '../journey.js';
import type { Load, SentMessage } from '../load/index.js';
import { expectConserved } from './conservation.js';

/** What a load on a backlog came to. */
export interface EndedLoad {
  readonly codes: readonly SentMessage[];
  /** Repeats that the provider recognised. */
  readonly repeats: number;
}

/** Ends a load and its backlog: none of it was refused, and every message reaches one final state within `deadlineMs`. */
export async function endLoad(
  world: World,
  load: Load,
  backlog: { stop(): Promise<readonly string[]> },
  deadlineMs: number,
): Promise<EndedLoad> {
  const codes = await load.stop();
  const promos = await backlog.stop();
  expect(load.refusals).toEqual([]);
  const ids = [...promos, ...codes.map((m) => m.id)];
  return { codes, repeats: await expectConserved(world, ids, { deadlineMs }) };
}
