import { laneName, type Lane } from '@commservice/contracts';

/**
 * The lanes a process runs. `wanted` names them as `<channel>[.<brand>]:<class>`; `<channel>:<class>` stands for every brand
 * of that class; empty = all. Throws when a name fits no lane: a fault of configuration.
 */
export function selectLanes(all: readonly Lane[], wanted: readonly string[]): Lane[] {
  if (wanted.length === 0) return [...all];
  const fits = (lane: Lane, name: string): boolean =>
    name === laneName(lane) || name === `${lane.channel}:${lane.priority}`;
  const unknown = wanted.filter((name) => !all.some((lane) => fits(lane, name)));
  if (unknown.length > 0) {
    throw new Error(
      `LANES names no lane of this dispatcher: ${unknown.join(', ')}; there are ${all.map(laneName).join(', ')}`,
    );
  }
  return all.filter((lane) => wanted.some((name) => fits(lane, name)));
}
