import type { Call } from '../client/sandbox.js';

/** Longest time without one of these calls between two moments (epoch ms), both edges counted; ms. */
export function longestGap(calls: readonly Pick<Call, 'atEpochUs'>[], fromMs: number, toMs: number): number {
  const times = calls
    .map((c) => c.atEpochUs / 1000)
    .filter((t) => t >= fromMs && t <= toMs)
    .sort((a, b) => a - b);
  let longest = 0;
  let last = fromMs;
  for (const t of [...times, toMs]) {
    longest = Math.max(longest, t - last);
    last = t;
  }
  return longest;
}
