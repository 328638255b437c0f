/** The values an attribute may take: a closed list, any short text, or any short text that may be absent. */
export type AttributeSpec = readonly string[] | 'text' | 'optional';
export type AttributeSpecs = Readonly<Record<string, AttributeSpec>>;

export type MetricKind = 'counter' | 'histogram' | 'gauge';

/** One metric as data: enough to create it, to document it and to check dashboards against. */
export interface MetricSpec<K extends MetricKind = MetricKind, A extends AttributeSpecs = AttributeSpecs> {
  readonly kind: K;
  /** OpenTelemetry name, `commservice.…`. */
  readonly name: string;
  /** UCUM: `s`, `By`, `1`, or what is counted in braces. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: A;
  /** Upper bounds of a histogram's buckets, in `unit`. */
  readonly buckets?: readonly number[];
}

type ValueOf<S extends AttributeSpec> = S extends readonly string[] ? S[number] : string;
type OptionalNames<A extends AttributeSpecs> = {
  [N in keyof A]: A[N] extends 'optional' ? N : never;
}[keyof A];

/** The attributes a metric is recorded with: required ones by name, `optional` ones may be left out. */
export type AttributeValues<A extends AttributeSpecs> = {
  readonly [N in Exclude<keyof A, OptionalNames<A>>]: ValueOf<A[N]>;
} & { readonly [N in OptionalNames<A>]?: string };

/** Durations from 1 ms to 10 min, seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
/** Records of one batch: 1 to the largest slice. */
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** A sum that only grows. */
export function counter<const A extends AttributeSpecs>(
  name: string,
  unit: string,
  description: string,
  attributes: A,
): MetricSpec<'counter', A> {
  return { kind: 'counter', name, unit, description, attributes };
}

/** A distribution of durations in seconds. */
export function seconds<const A extends AttributeSpecs>(
  name: string,
  description: string,
  attributes: A,
): MetricSpec<'histogram', A> {
  return { kind: 'histogram', name, unit: 's', description, attributes, buckets: SECONDS };
}

/** A distribution of how many. */
export function sizes<const A extends AttributeSpecs>(
  name: string,
  unit: string,
  description: string,
  attributes: A,
): MetricSpec<'histogram', A> {
  return { kind: 'histogram', name, unit, description, attributes, buckets: COUNTS };
}

/** A value read when it is scraped. */
export function gauge<const A extends AttributeSpecs>(
  name: string,
  unit: string,
  description: string,
  attributes: A,
): MetricSpec<'gauge', A> {
  return { kind: 'gauge', name, unit, description, attributes };
}
