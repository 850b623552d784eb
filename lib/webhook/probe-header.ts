/**
 * The header of a request that is no delivery: with an app's webhook credentials it is answered as one and told nobody, so
 * that the way to the receiver and the credentials can be proved.
 */
export const probeHeader = "x-probe";
