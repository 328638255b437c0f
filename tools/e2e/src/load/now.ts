/** Epoch ms with fractions, by the clock the sandbox uses. */
export const nowMs = (): number => performance.timeOrigin + performance.now();
