import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The path of a one-time code goes before what merely reports on it. */
export const GOES_FIRST_NICENESS = -10;
/** Nobody who sends a code waits for these. */
export const STANDS_BACK_NICENESS = 15;

/**
 * How much of a busy processor a process gets beside the others: what CPU weights of cgroups are on a cluster. Where Linux
 * groups processes by session (autogroup), niceness counts only within a session, and each of our processes has its own:
 * the session's niceness is set too, where there is one. Going before others needs privileges: without them nothing changes.
 * A process that opens sessions itself (each backend of PostgreSQL does) leaves what is set here.
 * @param niceness -20 (before all others) to 19 (behind them); 0 is what every process has
 */
export function setNiceness(pid: number, niceness: number): void {
  if (niceness === 0) return;
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // not permitted, ended meanwhile, no Linux or no autogroup: what could be set counts
  }
}
