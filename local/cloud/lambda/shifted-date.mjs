/** After this, a frozen clock runs again: a slow function may wait for a time. */
const frozenForMs = 5_000;

/**
 * Shifts `Date` for code loaded afterwards. Timers, `performance` and Node itself keep the machine's clock.
 * @param {{ offsetMs: number, frozenAtMs?: number }} initial
 */
export function shiftDate(initial) {
  const RealDate = globalThis.Date;
  const machineNow = RealDate.now;
  let [clock, setAtMs] = [initial, machineNow()];
  const now = () =>
    clock.frozenAtMs === undefined
      ? machineNow() + clock.offsetMs
      : clock.frozenAtMs + Math.max(0, machineNow() - setAtMs - frozenForMs);
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
    setClock(setting) {
      [clock, setAtMs] = [setting, machineNow()];
    },
  };
}
