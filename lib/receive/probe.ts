/**
 * Only checks whether the receiver accepts the credentials: answered 200 like a delivery, without an event.
 */
export const probeBody = '{"probe":"credentials"}';
