/** When a gateway received a request, in milliseconds since 1970: a `Request` has no place for it. */
export const arrivals = new WeakMap<Request, number>();
