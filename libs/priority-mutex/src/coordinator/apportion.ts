import type { Triple } from './scope-state.js';

/**
 * Divides `capacity` units among the classes: each takes its own share first, then what others leave, most urgent first.
 * Never more than wanted, never more than `capacity`.
 */
export function apportion(capacity: number, wanted: Triple, shares: Triple): Triple {
  const out: Triple = [0, 0, 0];
  let left = capacity;
  for (const c of [0, 1, 2] as const) {
    out[c] = Math.min(wanted[c], shares[c] * capacity);
    left -= out[c];
  }
  for (const c of [0, 1, 2] as const) {
    const more = Math.min(Math.max(left, 0), wanted[c] - out[c]);
    out[c] += more;
    left -= more;
  }
  return out;
}

/**
 * What one pod gets of `capacity` when each wants its own amount: small wishes are met in full, large ones share the rest
 * equally (max-min fairness).
 */
export function fairPart(capacity: number, wishes: readonly number[], own: number): number {
  const sorted = wishes.filter((w) => w > 0).sort((a, b) => a - b);
  let left = capacity;
  for (const [i, wish] of sorted.entries()) {
    const equal = left / (sorted.length - i);
    if (wish > equal) return Math.min(own, equal);
    if (wish >= own) return own;
    left -= wish;
  }
  return Math.min(own, left);
}
