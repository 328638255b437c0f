import { ANSWER_CASES } from './answer-cases.js';
import type { ContractCase } from './harness.js';
import { WIRE_CASES } from './wire-cases.js';

export type { ContractCase, ContractOptions, ContractSubject } from './harness.js';

/**
 * What every `Provider` of the sandbox's protocol must do, for any test runner: `it.each(PROVIDER_CONTRACT)('$name', …)`.
 * Each case starts its own sandbox and closes it.
 */
export const PROVIDER_CONTRACT: readonly ContractCase[] = [...ANSWER_CASES, ...WIRE_CASES];
