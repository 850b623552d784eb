/**
 * The body of a request that only checks whether the receiver accepts its credentials: answered 200 like a
 * delivery, without an event.
 */
export const probeBody = '{"probe":"credentials"}';
