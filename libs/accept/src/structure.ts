import type { FieldError } from '@commservice/contracts';
import { fault, MAX_FAULTS, pointerTo } from './faults.js';

/** Deepest nesting of a message; its schemas need three levels. */
const MAX_DEPTH = 8;
/** Most values in one message, keys not counted. What has more is refused as `too_complex` whatever else it holds. */
export const MESSAGE_MAX_VALUES = 500;

const LONE_SURROGATE = /\p{Surrogate}/u;

interface Walk {
  values: number;
  readonly faults: FieldError[];
}

function walk(value: unknown, pointer: string, depth: number, state: Walk): void {
  if (++state.values > MESSAGE_MAX_VALUES || state.faults.length >= MAX_FAULTS) return;
  if (typeof value === 'string') {
    if (LONE_SURROGATE.test(value)) state.faults.push(fault(pointer, 'not_well_formed'));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    state.faults.push(fault(pointer, 'too_deep'));
    return;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && state.values <= MESSAGE_MAX_VALUES; i++)
      walk(value[i], `${pointer}/${i}`, depth + 1, state);
    return;
  }
  for (const key of Object.keys(value)) {
    if (state.values > MESSAGE_MAX_VALUES) return;
    // schemas drop this key silently where they take any name; it must be refused everywhere
    if (key === '__proto__') state.faults.push(fault(pointerTo(pointer, key), 'unknown_field'));
    else walk((value as Record<string, unknown>)[key], pointerTo(pointer, key), depth + 1, state);
  }
}

/**
 * What no schema sees: nesting, number of values, `__proto__` keys and broken surrogate pairs, anywhere in `value`.
 * Runs first and in bounded time, so that whatever reads the value later may recurse.
 */
export function structureFaults(value: unknown): FieldError[] {
  const state: Walk = { values: 0, faults: [] };
  walk(value, '', 0, state);
  if (state.values > MESSAGE_MAX_VALUES) state.faults.push(fault('', 'too_complex'));
  return state.faults;
}
