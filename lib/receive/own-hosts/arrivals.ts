/** When a gateway received a request, which a `Request` cannot hold. */
export const arrivals = new WeakMap<Request, number>();
