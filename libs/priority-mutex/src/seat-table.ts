import { PRIORITIES, type Priority } from '@commservice/contracts';
import type { LaneSeat, Waiting } from './seat.js';

/** The lanes of one scope in this process, by class. */
export class SeatTable {
  private readonly seats: Record<Priority, LaneSeat[]> = { P1: [], P2: [], P3: [] };

  add(priority: Priority, seat: LaneSeat): void {
    this.seats[priority] = [...this.seats[priority], seat];
  }

  remove(priority: Priority, seat: LaneSeat): void {
    this.seats[priority] = this.seats[priority].filter((s) => s !== seat);
  }

  has(priority: Priority): boolean {
    return this.seats[priority].length > 0;
  }

  waiting(priority: Priority): Waiting[] {
    return this.seats[priority].map((s) => s.waiting());
  }

  units(priority: Priority): number {
    let sum = 0;
    for (const seat of this.seats[priority]) sum += seat.waiting().units;
    return sum;
  }

  /** Units of the smallest and of the largest first send of a class; 0 when nothing waits. */
  heads(priority: Priority): { smallest: number; largest: number } {
    const heads = this.waiting(priority).flatMap((w) => (w.units > 0 ? [w.nextUnits] : []));
    return heads.length === 0
      ? { smallest: 0, largest: 0 }
      : { smallest: Math.min(...heads), largest: Math.max(...heads) };
  }

  /** Mean over the lanes of a class: each lane's partitions are divided among the pods on their own. */
  ownership(): Record<Priority, number> {
    const mean = (p: Priority): number => {
      const seats = this.seats[p];
      const sum = seats.reduce((total, s) => total + Math.min(1, Math.max(0, s.ownership())), 0);
      return seats.length === 0 ? 0 : sum / seats.length;
    };
    return { P1: mean('P1'), P2: mean('P2'), P3: mean('P3') };
  }

  /** Seats of a class; the first of them changes with each call, so that none of them is always first. */
  rotated(priority: Priority): readonly LaneSeat[] {
    const seats = this.seats[priority];
    if (seats.length > 1) this.seats[priority] = [...seats.slice(1), seats[0] as LaneSeat];
    return seats;
  }

  nothingWaits(): boolean {
    return PRIORITIES.every((p) => this.units(p) === 0);
  }
}
