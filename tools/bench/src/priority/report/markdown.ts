import type { Check } from '../../results/write-result.js';
import type { Machine } from '../../results/machine.js';
import { MEANING } from '../mode.js';
import type { PriorityOptions } from '../priority-options.js';
import type { PriorityPlan } from '../priority-plan.js';
import type { ResultLine } from './result-line.js';
import { allTables } from './tables.js';

const NOTES = [
  'Latency: from accepted (before the message is written to Kafka or to the queue) to the arrival of the first call that the provider did not refuse, by its own log. `≥`: still waiting when the run ended.',
  'use of R: accepted units of the flood. 1 s: most units in any second, as they arrive, refused ones too, over R. refused: calls beyond the contract rate.',
  'press: a P1 presses when it has waited for 25 ms (or two departures of a pod where those take longer). From then to the last call of a lower class, of any process, before its own: 0 is best. n: how many pressed in the flood.',
  "P3 block: longest time without any P3 call in the flood. P3 share: of the units sent, in P3's worst two minutes of the flood (all of a shorter one). never called, doubled: P1 and P2 of all phases; where a latency has a `≥`, those never called stand behind the backlog.",
  "CPU, coordinator, Redis: for each message sent in the flood, over all dispatcher processes. Coordinator calls: leases, those of the poll too, and edges published. Other scripts: claims, for the most part; a peer's bucket. Each script is one round trip; commands inside scripts count as commands. RabbitMQ and Kafka themselves are not counted. The peers do no accounting: no claims, events, receipts, encryption or retries.",
  "loop late: event-loop delay of the worst dispatcher in the flood. provider late: the provider's own at each call.",
];

const BURST_NOTE =
  'Burst: after the flood so many P1 at once, with the rest of the backlog waiting. Lower classes: their calls from the press, 25 ms after the burst (or two departures of a pod), to its last code.';

/** What is the same for every line; a flag that is swept is named by the lines themselves. */
function workloadSentence(o: PriorityOptions, sweep: PriorityPlan['sweep']): string {
  const parts = [
    `R = ${o.ratePerSecond} units a second`,
    `a call takes ${o.latencyMs} ms`,
    `${o.pods} dispatcher processes${o.layout === 'own' ? ', half of them P1 alone' : ''}`,
  ];
  const flow = `P1 ${o.p1PerSecond}/s and P2 ${o.p2PerSecond}/s, Poisson, the same arrivals in every phase: ${o.seconds} s idle, then ${o.seconds} s with ${o.backlog} P3 waiting.`;
  const swept = sweep ? ` Each line has a \`${sweep}\` of its own; this is the first line's workload.` : '';
  return `sms, ${parts.join(', ')}. ${flow}${swept}`;
}

/** The whole result as a page. */
export function markdown(
  lines: readonly ResultLine[],
  checks: readonly Check[],
  { options, sweep }: Pick<PriorityPlan, 'options' | 'sweep'>,
  where: Machine,
): string {
  const modes = [...new Set(lines.map((line) => line.mode))];
  const notes = lines.some((line) => line.figures.burst) ? [...NOTES, BURST_NOTE] : NOTES;
  const page = [
    `# P1 under a flood of P3, by ${sweep ?? 'design'}`,
    '',
    `${where.date} · ${where.cpu}, ${where.cores} cores, ${where.memoryGiB} GiB · ${where.os} · Node ${where.node}`,
    '',
    workloadSentence(options, sweep),
    '',
    ...allTables(lines),
    ...modes.map((mode) => `- **${mode}**: ${MEANING[mode]}`),
    '',
    ...notes.flatMap((note) => [note, '']),
    ...(checks.length > 0 ? ['Checks of `contention`:', ''] : []),
    ...checks.map((check) => `- ${check.ok ? 'ok' : '**FAIL**'}: ${check.text}`),
    ...(checks.length > 0 ? [''] : []),
  ];
  return page.join('\n');
}
