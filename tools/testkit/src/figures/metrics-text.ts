/** One line of a metric in the Prometheus text: its labels as they are written, and its value. */
export interface Sample {
  readonly labels: string;
  readonly value: number;
}

/** Values of one metric in a process's `/metrics`. */
export function samplesOf(text: string, name: string): Sample[] {
  return [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)`, 'gm'))].map(([, labels, value]) => ({
    labels: labels ?? '',
    value: Number(value),
  }));
}

/** The sum of one counter over all its lines whose labels hold these texts, for example `scope="push-alfa"`. */
export function counterOf(text: string, name: string, ...labels: readonly string[]): number {
  return samplesOf(text, name)
    .filter((sample) => labels.every((label) => sample.labels.includes(label)))
    .reduce((sum, { value }) => sum + value, 0);
}
