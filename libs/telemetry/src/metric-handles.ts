import type { Attributes, Meter, ObservableGauge, ObservableResult } from '@opentelemetry/api';
import { createNoopMeter } from '@opentelemetry/api';
import type { AttributeSpecs, AttributeValues, MetricKind, MetricSpec } from './metric-kinds.js';
import { METRICS, type MetricName } from './metrics.js';

type NamesOf<K extends MetricKind> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
export type GaugeName = NamesOf<'gauge'>;

/** The attributes that metric `N` is recorded with. */
export type MetricAttributes<N extends MetricName> = AttributeValues<(typeof METRICS)[N]['attributes']>;

export interface CounterHandle<A> {
  /** Adds `value` (≥ 0). */
  add(value: number, attributes: A): void;
}
export interface HistogramHandle<A> {
  /** Records one value in the metric's unit. */
  record(value: number, attributes: A): void;
}
/** One reading of a gauge. */
export interface Observation<A> {
  readonly value: number;
  readonly attributes: A;
}
/** Stops a gauge's reader. Calling it again does nothing. */
export type StopObserving = () => void;

type Counters = { readonly [N in CounterName]: CounterHandle<MetricAttributes<N>> };
type Histograms = { readonly [N in HistogramName]: HistogramHandle<MetricAttributes<N>> };

/** Recording handles for every metric of the catalogue. */
export type Metrics = Counters &
  Histograms & {
    /**
     * Registers a reader for a gauge; it runs at each scrape and must be fast and synchronous. Several readers may feed
     * one gauge (one per lane). A reader that throws loses its own readings only.
     */
    observe<N extends GaugeName>(
      name: N,
      read: () => Iterable<Observation<MetricAttributes<N>>>,
    ): StopObserving;
  };

/** Keeps exactly the attributes the catalogue names: nothing else can become a label. */
function labels(names: readonly string[], given: object): Attributes {
  const out: Attributes = {};
  for (const name of names) {
    const value = (given as Attributes)[name];
    if (value !== undefined) out[name] = value;
  }
  return out;
}

type Recorder = CounterHandle<object> | HistogramHandle<object>;

function recorderOf(meter: Meter, spec: MetricSpec<'counter' | 'histogram', AttributeSpecs>): Recorder {
  const names = Object.keys(spec.attributes);
  const options = { unit: spec.unit, description: spec.description };
  if (spec.kind === 'counter') {
    const instrument = meter.createCounter(spec.name, options);
    return { add: (value, attributes) => instrument.add(value, labels(names, attributes)) };
  }
  const advice = { explicitBucketBoundaries: [...(spec.buckets ?? [])] };
  const instrument = meter.createHistogram(spec.name, { ...options, advice });
  return { record: (value, attributes) => instrument.record(value, labels(names, attributes)) };
}

type Reader = () => Iterable<Observation<object>>;

function gaugeObserver(meter: Meter): (name: GaugeName, read: Reader) => StopObserving {
  const gauges = new Map<GaugeName, ObservableGauge>();
  const gaugeOf = (name: GaugeName): ObservableGauge => {
    const { unit, description } = METRICS[name];
    const instrument =
      gauges.get(name) ?? meter.createObservableGauge(METRICS[name].name, { unit, description });
    gauges.set(name, instrument);
    return instrument;
  };
  return (name, read) => {
    const names = Object.keys(METRICS[name].attributes);
    const instrument = gaugeOf(name);
    const callback = (result: ObservableResult): void => {
      for (const { value, attributes } of read()) result.observe(value, labels(names, attributes));
    };
    instrument.addCallback(callback);
    return () => instrument.removeCallback(callback);
  };
}

/** Makes the handles on a meter. Call it once a process: two on one meter would report gauges twice. */
export function createMetrics(meter: Meter): Metrics {
  const handles: Record<string, unknown> = { observe: gaugeObserver(meter) };
  for (const [name, spec] of Object.entries(METRICS) as [MetricName, MetricSpec][]) {
    if (spec.kind === 'gauge') continue;
    handles[name] = recorderOf(meter, spec as MetricSpec<'counter' | 'histogram'>);
  }
  return handles as Metrics;
}

/** Handles that record nothing: for tests. */
export function noopMetrics(): Metrics {
  return createMetrics(createNoopMeter());
}
