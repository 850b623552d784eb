/** When a gateway received a request: a `Request` has no place for it. */
export const arrivals = new WeakMap<Request, number>();
