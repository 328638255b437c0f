'use strict';
// Loaded before an app (--require): its wall clock is CLOCK_SHIFT_MS ahead (negative: behind); monotonic time is untouched.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
const timeOrigin = performance.timeOrigin + shiftMs;
Object.defineProperty(performance, 'timeOrigin', { get: () => timeOrigin });
