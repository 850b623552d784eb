export interface WayGate {
  pass<T>(step: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Lets steps of a way begin until it is closed; closing waits for running steps. The SDK stores nothing more
 * for a way that lost, and does not end an invocation while a step runs.
 * @param outer the gate of the way that contains them
 */
export function createWayGate(outer?: WayGate): WayGate {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    pass: (step) => {
      if (isClosed) return new Promise(() => {});
      const passed = passGate(outer, step);
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

export function passGate<T>(gate: WayGate | undefined, step: () => Promise<T>): Promise<T> {
  return gate === undefined ? step() : gate.pass(step);
}
