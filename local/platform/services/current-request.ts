import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<number>();

/** Does the work of a request: what happens within it can be told to have been caused by it. */
export function withinRequest<T>(requestId: number, work: () => T): T {
  return current.run(requestId, work);
}

/** Gives the id of the request in which this happens; undefined where a client or time makes it happen. */
export function currentRequestId(): number | undefined {
  return current.getStore();
}
