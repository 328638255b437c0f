import { proofIsWanted } from './config.js';

/** Whether journeys run at full scale and length; decided by PROOF=1 in the environment. */
export const full: boolean = proofIsWanted;

/** How long something lasts, s: at short scale and at full. */
export const seconds = (short: number, long: number): number => (full ? long : short);

/** How many there are: at short scale and at full. */
export const count = (short: number, long: number): number => (full ? long : short);
