import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { SeatTable } from '../seat-table.js';

/** Units wanted by class within one horizon, what is held included: what a lease asks for. */
export function demandOf(
  seats: SeatTable,
  stockShortfall: number,
  ratePerSecond: number,
  horizonMs: number,
): Record<Priority, number> {
  const cap = Math.ceil((ratePerSecond * horizonMs) / 1000) + 1;
  const wanted = (p: Priority): number => {
    const units = seats.units(p);
    return Math.min(units, Math.max(cap, seats.heads(p).largest));
  };
  return { P1: wanted('P1') + stockShortfall, P2: wanted('P2'), P3: wanted('P3') };
}

/** Units that this pod can use now: those of classes that are not blocked. */
export function usable(
  demand: Readonly<Record<Priority, number>>,
  blocked: (p: Priority) => boolean,
): number {
  return PRIORITIES.reduce((sum, p) => sum + (blocked(p) ? 0 : demand[p]), 0);
}
