/** Longest time without an event between `fromMs` and `toMs`, both edges counted. `atMs` ascends. */
export function longestGapMs(atMs: readonly number[], fromMs: number, toMs: number): number {
  const inside = atMs.filter((t) => t >= fromMs && t <= toMs);
  let longest = 0;
  let last = fromMs;
  for (const t of [...inside, toMs]) {
    longest = Math.max(longest, t - last);
    last = t;
  }
  return longest;
}
