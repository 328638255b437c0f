import { quantiles, type Quantiles } from '@commservice/testkit';
import type { Check, Result } from '../results/write-result.js';
import type { IngestBenchOptions } from './ingest-bench.js';
import type { LoadResult } from './load.js';
import { growthMib, peakMib, type MemorySample } from './memory-watch.js';

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
/** What waits for the broker is bounded by 32 MiB a class. */
const FLAT_AWAY_MIB = 64;
const RECOVERY_MS = 30_000;
const ms = (n: number): string => `${n.toFixed(1)} ms`;

/** What follows from the findings. */
interface Figures {
  /** 202 per second. */
  readonly rate: number;
  readonly latencyMs: Quantiles;
  readonly statuses: Readonly<Record<string, number>>;
  readonly accepted: number;
  readonly onTopics: number;
  /** Answered 202 and on no topic. */
  readonly missing: readonly string[];
  /** On a topic and not answered 202. */
  readonly strangers: readonly string[];
  readonly lostByMetric: number;
  readonly lostByAnswer: number;
  /** From the broker's return to the first 202. */
  readonly recoveryMs: number | undefined;
  readonly memory: Memory;
}

function figuresOf(f: IngestFindings): Figures {
  const { load, written, outage } = f;
  return {
    rate: load.accepted.size / f.elapsedS,
    latencyMs: quantiles(load.durationsMs),
    statuses: Object.fromEntries([...load.statuses].sort(([a], [b]) => a - b)),
    accepted: load.accepted.size,
    onTopics: written.size,
    missing: [...load.accepted].filter((id) => !written.has(id)),
    strangers: [...written.keys()].filter((id) => !load.accepted.has(id)),
    lostByMetric: f.lost,
    lostByAnswer: load.ackLost,
    recoveryMs: outage && (load.firstAcceptedAfter(outage.startedAt) ?? NaN) - outage.startedAt,
    memory: memoryOf(f),
  };
}

/** The findings as a table and its verdicts. */
export function ingestResult(findings: IngestFindings): Result {
  const { clients, seconds, brokerStopSeconds } = findings.options;
  const figures = figuresOf(findings);
  const stopped = findings.outage ? `, broker stopped for ${brokerStopSeconds} s` : '';
  return {
    name: findings.outage ? 'ingest-broker-stop' : 'ingest',
    title: `POST /v1/messages: ${clients} clients, ${seconds} s${stopped}`,
    figures: { ...figures, memorySamples: findings.samples },
    rows: rowsOf(figures),
    checks: [...countChecks(findings, figures), ...outageChecks(findings, figures)],
  };
}

function rowsOf({ latencyMs: l, memory, missing, strangers, recoveryMs, ...f }: Figures): Result['rows'] {
  const answers = Object.entries(f.statuses).map(([status, n]) => `${status}: ${n}`);
  return [
    ['202 per second', f.rate.toFixed(0)],
    ['p50 / p95 / p99 / max of a 202', [l.p50, l.p95, l.p99, l.max].map(ms).join(' / ')],
    ['answers by status (0 = none)', answers.join(', ')],
    ['distinct ids answered 202 / on the topics', `${f.accepted} / ${f.onTopics}`],
    ['202 missing on the topics', [missing.length, ...missing.slice(0, 20)].join(', ')],
    ['on a topic without a 202', [strangers.length, ...strangers.slice(0, 20)].join(', ')],
    ['acknowledgements lost (metric / answers)', `${f.lostByMetric} / ${f.lostByAnswer}`],
    [
      'memory of ingest-api',
      `${memory.warm} MiB warm, ${memory.peak} MiB peak, ${memory.last} MiB at the end`,
    ],
    ...(recoveryMs === undefined ? [] : [['first 202 after the broker was back', ms(recoveryMs)] as const]),
  ];
}

interface Memory {
  readonly warm: number;
  readonly peak: number;
  readonly last: number;
  /** Growth from the stop of the broker to its return; undefined without an outage. */
  readonly whileAway: number | undefined;
}

function memoryOf({ samples, outage, from, elapsedS }: IngestFindings): Memory {
  const warmUntilS = outage ? (outage.stoppedAt - from) / 1000 : elapsedS / 3;
  return {
    warm: peakMib(samples, 0, warmUntilS),
    peak: peakMib(samples, 0, Infinity),
    last: samples.at(-1)?.mib ?? NaN,
    whileAway:
      outage && growthMib(samples, (outage.stoppedAt - from) / 1000, (outage.startedAt - from) / 1000),
  };
}

function countChecks({ load, written, outage }: IngestFindings, figures: Figures): Check[] {
  const { missing, strangers, lostByAnswer, lostByMetric } = figures;
  const other = [...load.statuses].filter(([status]) => status !== 202 && !(outage && status === 503));
  const twice = [...written.values()].filter((n) => n > 1).length;
  return [
    { ok: other.length === 0, text: outage ? 'only 202 and 503 were answered' : 'only 202 was answered' },
    { ok: missing.length === 0, text: 'every id answered 202 is on its topic' },
    {
      ok: strangers.length <= Math.min(lostByAnswer, lostByMetric),
      text: 'ids without a 202 were answered 503 as acknowledgement lost, and counted',
    },
    { ok: twice === 0, text: `${twice} ids are on a topic twice` },
  ];
}

function outageChecks({ load, outage, restarted }: IngestFindings, { memory, recoveryMs }: Figures): Check[] {
  const grown = memory.peak - memory.warm;
  const flat = {
    ok: grown <= FLAT_MIB,
    text: `memory grew by ${grown} MiB over its warm peak (at most ${FLAT_MIB})`,
  };
  if (!outage) return [flat];
  const told = (load.statuses.get(503) ?? 0) > 0 && load.withoutRetryAfter === 0;
  return [
    flat,
    {
      ok: (memory.whileAway ?? NaN) <= FLAT_AWAY_MIB,
      text: `memory grew by ${memory.whileAway} MiB while the broker was away (at most ${FLAT_AWAY_MIB})`,
    },
    { ok: told, text: '503 was answered meanwhile, each with Retry-After' },
    {
      ok: (recoveryMs ?? NaN) < RECOVERY_MS,
      text: `accepts again within ${RECOVERY_MS / 1000} s of the broker's return`,
    },
    { ok: !restarted, text: 'ingest-api was not restarted' },
  ];
}
