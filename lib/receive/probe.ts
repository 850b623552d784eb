/**
 * The body of a request that asks the receiver whether it accepts the credentials that come with it, and nothing else: it is
 * answered 200 as deliveries are, and no event.
 */
export const probeBody = '{"probe":"credentials"}';
