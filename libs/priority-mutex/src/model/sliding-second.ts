/** The most of `atMs` that lie within one second; `atMs` in any order. */
export function mostInASecond(atMs: readonly number[]): { readonly units: number; readonly fromMs: number } {
  const sorted = [...atMs].sort((a, b) => a - b);
  let best = { units: 0, fromMs: 0 };
  let from = 0;
  for (const [to, ms] of sorted.entries()) {
    while (ms - (sorted[from] as number) >= 1000 - 1e-6) from++;
    if (to - from + 1 > best.units) best = { units: to - from + 1, fromMs: sorted[from] as number };
  }
  return best;
}
