/**
 * Shifts `Date` to the local stack's clock for all code that is loaded afterwards. Timers, `performance` and
 * Node's own uses of `Date` keep the machine's clock. Only the local runtime does this.
 * @param {number} initialMs milliseconds ahead of the machine
 */
export function shiftDate(initialMs) {
  let shiftMs = initialMs;
  const RealDate = globalThis.Date;
  const machineNow = RealDate.now;
  const now = () => machineNow() + shiftMs;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, asked) =>
      Reflect.construct(
        target,
        given.length === 0 ? [now()] : given,
        asked === globalThis.Date ? target : asked,
      ),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
  return {
    machineNow,
    /** @param {number} ms milliseconds ahead of the machine from now on */
    shiftBy(ms) {
      shiftMs = ms;
    },
  };
}
