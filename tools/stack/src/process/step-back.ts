import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Lets others go first. Where Linux groups processes by session (autogroup), niceness counts only within a session, and
 * each of our processes has its own: the session's niceness is set too, where there is one.
 * @param niceness 1..19
 */
export function stepBack(pid: number, niceness: number): void {
  setPriority(pid, niceness);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // no Linux, no autogroup: the process's own niceness counts
  }
}
