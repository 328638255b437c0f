import { quantiles } from '../quantiles.js';
import type { Check, Result } from '../results/write-result.js';
import type { IngestBenchOptions } from './ingest-bench.js';
import type { LoadResult } from './load.js';
import { peakMib, type MemorySample } from './memory-watch.js';

/** When the broker was away, monotonic ms. */
export interface Outage {
  readonly stoppedAt: number;
  readonly startedAt: number;
}

export interface IngestFindings {
  readonly options: IngestBenchOptions;
  readonly load: LoadResult;
  readonly outage: Outage | undefined;
  /** Start of the load, monotonic ms. */
  readonly from: number;
  readonly elapsedS: number;
  readonly samples: readonly MemorySample[];
  /** Acknowledgements lost by ingest-api's own count. */
  readonly lost: number;
  /** How often each id stands on the lane topics. */
  readonly written: ReadonlyMap<string, number>;
  readonly restarted: boolean;
}

/** Memory counts as flat when its peak later on exceeds that of the warm-up by less than this. */
const FLAT_MIB = 128;
const ms = (n: number): string => `${n.toFixed(1)} ms`;

/** The findings as a table and its verdicts. */
export function ingestResult(f: IngestFindings): Result {
  const { load, written, options, elapsedS } = f;
  const missing = [...load.accepted].filter((id) => !written.has(id));
  const strangers = [...written.keys()].filter((id) => !load.accepted.has(id));
  const latency = quantiles(load.durationsMs);
  const statuses = Object.fromEntries([...load.statuses].sort(([a], [b]) => a - b));
  const recoveryMs = f.outage && (load.firstAcceptedAfter(f.outage.startedAt) ?? NaN) - f.outage.startedAt;
  const memory = memoryOf(f);
  const rate = load.accepted.size / elapsedS;
  return {
    name: f.outage ? 'ingest-broker-stop' : 'ingest',
    title: `POST /v1/messages: ${options.clients} clients, ${options.seconds} s${f.outage ? `, broker stopped for ${options.brokerStopSeconds} s` : ''}`,
    figures: { rate, latencyMs: latency, statuses, onTopics: written.size, missing, strangers, lost: f.lost, ackLost: load.ackLost, recoveryMs, memory, samples: f.samples },
    rows: [
      ['202 per second', rate.toFixed(0)],
      ['p50 / p95 / p99 / max of a 202', [latency.p50, latency.p95, latency.p99, latency.max].map(ms).join(' / ')],
      ['answers by status (0 = none)', Object.entries(statuses).map(([s, n]) => `${s}: ${n}`).join(', ')],
      ['distinct ids answered 202 / on the topics', `${load.accepted.size} / ${written.size}`],
      ['202 missing on the topics', String(missing.length)],
      ['on a topic without a 202', `${strangers.length}${strangers.length > 0 ? `: ${strangers.slice(0, 20).join(', ')}` : ''}`],
      ['acknowledgements lost (metric / answers)', `${f.lost} / ${load.ackLost}`],
      ['memory of ingest-api', `${memory.warm} MiB warm, ${memory.peak} MiB peak, ${memory.last} MiB at the end`],
      ...(recoveryMs === undefined ? [] : [['first 202 after the broker was back', ms(recoveryMs)] as const]),
    ],
    checks: [...countChecks(f, missing.length, strangers.length), ...outageChecks(f, recoveryMs, memory)],
  };
}

interface Memory {
  readonly warm: number;
  readonly peak: number;
  readonly last: number;
}

function memoryOf({ samples, outage, from, elapsedS }: IngestFindings): Memory {
  const warmUntilS = outage ? (outage.stoppedAt - from) / 1000 : elapsedS / 3;
  return {
    warm: peakMib(samples, 0, warmUntilS),
    peak: peakMib(samples, 0, Infinity),
    last: samples.at(-1)?.mib ?? NaN,
  };
}

function countChecks({ load, written, outage, lost }: IngestFindings, missing: number, strangers: number): Check[] {
  const other = [...load.statuses].filter(([status]) => status !== 202 && !(outage && status === 503));
  const twice = [...written.values()].filter((n) => n > 1).length;
  return [
    { ok: other.length === 0, text: outage ? 'only 202 and 503 were answered' : 'only 202 was answered' },
    { ok: missing === 0, text: 'every id answered 202 is on its topic' },
    { ok: strangers <= load.ackLost && strangers <= lost, text: 'ids without a 202 were answered 503 as acknowledgement lost, and counted' },
    { ok: twice === 0, text: `${twice} ids are on a topic twice` },
  ];
}

function outageChecks({ load, outage, restarted }: IngestFindings, recoveryMs: number | undefined, memory: Memory): Check[] {
  const flat = { ok: memory.peak - memory.warm <= FLAT_MIB, text: `memory grew by ${memory.peak - memory.warm} MiB over its warm peak (at most ${FLAT_MIB})` };
  if (!outage) return [flat];
  return [
    flat,
    { ok: (load.statuses.get(503) ?? 0) > 0 && load.withoutRetryAfter === 0, text: 'every 503 carried Retry-After' },
    { ok: (recoveryMs ?? NaN) < 30_000, text: 'accepts again after the broker is back' },
    { ok: !restarted, text: 'ingest-api was not restarted' },
  ];
}
