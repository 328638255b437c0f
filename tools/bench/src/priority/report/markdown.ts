import type { Check } from '../../results/write-result.js';
import type { Machine } from '../../results/machine.js';
import type { ModeFigures } from '../figures/mode-figures.js';
import { MEANING, type Mode } from '../mode.js';
import type { PriorityOptions } from '../priority-options.js';
import { duration, latencyCell, percent, ratio, tableLines } from './cells.js';

/** One mode's name and figures, in the order of the run. */
export type ModeResult = readonly [Mode, ModeFigures];

const SPREAD = 'p50 / p95 / p99 / max';

/** Latencies of P1 and P2, a line a mode. */
export function latencyTable(results: readonly ModeResult[]): string[] {
  const head = ['mode', `P1 idle, ms: ${SPREAD}`, 'P1 flood', 'p99 ratio', 'P2 idle', 'P2 flood'];
  return tableLines(
    head,
    results.map(([mode, { p1, p2, p99Ratio }]) => [
      mode,
      latencyCell(p1.idle),
      latencyCell(p1.flood),
      `${p1.flood.waiting > 0 ? '≥ ' : ''}${ratio(p99Ratio)}`,
      latencyCell(p2.idle),
      latencyCell(p2.flood),
    ]),
  );
}

/** What the mode made of the channel and of the machine, a line a mode. */
export function channelTable(results: readonly ModeResult[]): string[] {
  const head = [
    'mode',
    'use of R',
    '1 s',
    'refused',
    'press: n',
    'p99 / max ms',
    'P3 block ms',
    'never called',
    'doubled',
    'CPU ms',
    'Redis scripts / commands',
  ];
  return tableLines(
    head,
    results.map(([mode, f]) => [
      mode,
      percent(f.utilisation),
      f.slidingSecond.toFixed(2),
      String(f.throttled),
      String(f.press.n),
      `${duration(f.press.p99)} / ${duration(f.press.max)}`,
      duration(f.longestP3GapMs),
      String(f.neverCalled),
      String(f.doubled),
      f.cpuMsPerMessage.toFixed(2),
      `${f.redis.scriptsPerMessage.toFixed(2)} / ${f.redis.commandsPerMessage.toFixed(1)}`,
    ]),
  );
}

const NOTES = [
  'Latency: from accepted (before the record is written to Kafka) to the arrival of the first call that the provider did not refuse, by its own log. `≥`: still waiting when the run ended.',
  'use of R: accepted units of the flood. 1 s: most units in any second, as they arrive, refused ones too, over R. refused: calls beyond the contract rate.',
  'press: a P1 presses when it has waited for 25 ms (or two departures of a pod where those take longer). From then to the last call of a lower class before its own: 0 is best. n: how many pressed.',
  'P3 block: longest time without any P3 call in the flood. never called, doubled: P1 and P2 of both phases; where a latency has a `≥`, those never called stand behind the backlog.',
  'CPU and Redis: for each message sent in the flood, over all dispatcher processes. Scripts are round trips; commands inside scripts count as commands. The peers do no accounting: no claims, events, receipts, encryption or retries.',
];

/** The whole result as a page. */
export function markdown(
  results: readonly ModeResult[],
  checks: readonly Check[],
  { seconds, backlog, ratePerSecond, p1PerSecond, p2PerSecond, latencyMs, pods }: PriorityOptions,
  where: Machine,
): string {
  const lines = [
    '# P1 under a flood of P3, by design',
    '',
    `${where.date} · ${where.cpu}, ${where.cores} cores, ${where.memoryGiB} GiB · ${where.os} · Node ${where.node}`,
    '',
    `sms, R = ${ratePerSecond} units a second, a call takes ${latencyMs} ms, ${pods} dispatcher processes. P1 ${p1PerSecond}/s and P2 ${p2PerSecond}/s, Poisson, the same arrivals in every phase: ${seconds} s idle, then ${seconds} s with ${backlog} P3 waiting.`,
    '',
    ...latencyTable(results),
    '',
    ...channelTable(results),
    '',
    ...results.map(([mode]) => `- **${mode}**: ${MEANING[mode]}`),
    '',
    ...NOTES.flatMap((note) => [note, '']),
    ...(checks.length > 0 ? ['Checks of `contention`:', ''] : []),
    ...checks.map((check) => `- ${check.ok ? 'ok' : '**FAIL**'}: ${check.text}`),
    ...(checks.length > 0 ? [''] : []),
  ];
  return lines.join('\n');
}
