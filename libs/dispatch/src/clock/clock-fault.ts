/** A clock that is further off than this is a fault of the machine, not drift. */
const LONGEST_MS = 1_000;

/** Why a process with such a clock is not ready, in a plain sentence; undefined = its clock is good. It goes on sending. */
export function clockFault(aheadMs: number, coordinatorAheadMs = 0): string | undefined {
  if (Math.abs(coordinatorAheadMs) > LONGEST_MS)
    return `the coordinator's clock is ${off(coordinatorAheadMs)} all others`;
  return Math.abs(aheadMs) > LONGEST_MS
    ? `this machine's clock is ${off(aheadMs)} the platform's`
    : undefined;
}

const off = (aheadMs: number): string =>
  `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
