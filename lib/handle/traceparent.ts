import { sha256Hex } from "../base/digest.ts";

/**
 * Writes the header that ties a request to the event and the trigger's run that it is made for. The trace follows from the
 * fact, so that all that is ever done for it has one; a digest, because a key holds people's ids.
 * Not sampled: it asks nobody to record anything.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header-field-values
 */
export function traceparentOf(deliveryKey: string, spanId: string): string {
  return `00-${traceIdOf(deliveryKey)}-${spanId}-00`;
}

/** Gives the 32 hexadecimal digits that stand for a fact. */
export function traceIdOf(deliveryKey: string): string {
  return sha256Hex(deliveryKey).slice(0, 32);
}

/** Gives the 16 hexadecimal digits of one trigger's run. @param token gives a text that nobody else gives */
export function newSpanId(token: () => string): string {
  return sha256Hex(token()).slice(0, 16);
}
