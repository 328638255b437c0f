/** The sum of one counter of a process over all its labels that hold these texts, for example `scope="push-alfa"`. */
export async function counterOf(base: string, name: string, ...labels: readonly string[]): Promise<number> {
  const response = await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const lines = (await response.text()).split('\n');
  return lines
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce(
      (sum, line) =>
        sum +
        Number(
          line
            .slice(line.lastIndexOf('}') + 1)
            .trim()
            .split(' ')[0],
        ),
      0,
    );
}
