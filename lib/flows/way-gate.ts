/** Lets the steps of several ways through, until it is decided which of them counts. */
export interface WayGate {
  /** Does a step, or never comes back where the gate is closed. */
  pass<T>(step: () => Promise<T>): Promise<T>;
  /** Lets nothing more through, and ends when what was let through has ended. */
  close(): Promise<void>;
}

/**
 * Makes the gate of ways that go side by side. The SDK writes nothing more down for a way that lost, and does not let go of
 * an invocation while a step is under way: so a decision waits for the steps that have begun, and no others begin.
 * @param outer the gate of the way that they are part of
 */
export function createWayGate(outer?: WayGate): WayGate {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    pass: (step) => {
      if (isClosed) return new Promise(() => {});
      const passed = outer === undefined ? step() : outer.pass(step);
      underWay.add(passed);
      const forget = () => underWay.delete(passed);
      passed.then(forget, forget);
      return passed;
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}
