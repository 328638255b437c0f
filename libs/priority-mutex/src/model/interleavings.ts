/**
 * Runs `once` with every sequence of choices there is. `once` asks `choose(n)` for one of n ways, at each point at which
 * there is more than one, and must do the same for the same answers.
 * @returns how many sequences there were
 */
export async function everyInterleaving(
  once: (choose: (ways: number) => number) => Promise<void>,
  atMost = Infinity,
): Promise<number> {
  let path: number[] = [];
  for (let count = 1; ; count++) {
    const ways: number[] = [];
    await once((n) => {
      ways.push(n);
      return path[ways.length - 1] ?? 0;
    });
    const taken = ways.map((_, i) => path[i] ?? 0);
    const last = ways.findLastIndex((n, i) => (taken[i] as number) + 1 < n);
    if (last < 0 || count >= atMost) return count;
    path = [...taken.slice(0, last), (taken[last] as number) + 1];
  }
}
