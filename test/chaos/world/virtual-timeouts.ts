import type { Clock } from "../../../local/testing/simulated/clock.ts";

/** Makes `AbortSignal.timeout` virtual. Returns a function that undoes it. */
export function useVirtualTimeouts(clock: Clock): () => void {
  const real = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    clock.at(clock.now() + ms, () =>
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
    return controller.signal;
  };
  return () => {
    AbortSignal.timeout = real;
  };
}
