import type { ModeFigures } from '../figures/mode-figures.js';
import type { PlannedRun } from '../priority-plan.js';

/** One line of the result: what ran and what was seen, in the order of the run. */
export interface ResultLine extends PlannedRun {
  readonly figures: ModeFigures;
}
