import { boundMs } from '../../demo/verdict.js';
import type { Check } from '../../results/write-result.js';
import type { ModeFigures } from '../figures/mode-figures.js';
import type { PriorityOptions } from '../priority-options.js';
import { duration, percent } from './cells.js';

const ms = (value: number): string => `${duration(value)}${value < 1_000 ? ' ms' : ''}`;

/** What the default mode must hold; the others are only shown. */
export function checksOf(f: ModeFigures, { ratePerSecond, pods }: PriorityOptions): Check[] {
  const bound = boundMs(f.p1.idle.p99, ratePerSecond, pods);
  const most = 1.02 + 1 / ratePerSecond;
  return [
    {
      ok: f.p1.flood.p99 <= bound,
      text: `P1 p99 under flood is ${ms(f.p1.flood.p99)}, at most ${ms(bound)} by idle ${ms(f.p1.idle.p99)}`,
    },
    {
      ok: !(f.press.p99 > 200 || f.press.max > 500),
      text: `lower classes start nothing 200 ms after a P1 pressed (p99 ${ms(f.press.p99)}), 500 ms at most (${ms(f.press.max)})`,
    },
    { ok: f.utilisation >= 0.95, text: `${percent(f.utilisation)} of R was used, at least 95 %` },
    {
      ok: f.busiest.ofR <= most && f.throttled === 0,
      text: `${f.busiest.ofR.toFixed(3)} R in the busiest second, at most ${most.toFixed(3)} (it ended ${f.busiest.atS.toFixed(1)} s after the flood began, the provider itself up to ${duration(f.busiest.lagMs)} ms late); ${f.throttled} calls refused`,
    },
    {
      ok: f.neverCalled === 0 && f.doubled === 0,
      text: `every P1 and P2 was sent once: ${f.neverCalled} never called, ${f.doubled} doubled`,
    },
  ];
}
