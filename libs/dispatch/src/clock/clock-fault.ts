/** A clock that is further off than this is a fault of the machine, not drift. */
const LONGEST_MS = 1_000;

/** Why a process with such a clock is not ready, in a plain sentence; undefined = its clock is good. It goes on sending. */
export function clockFault(aheadMs: number): string | undefined {
  if (Math.abs(aheadMs) <= LONGEST_MS) return undefined;
  const off = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return `this machine's clock is ${off} the platform's`;
}
