import { sha256Hex } from "../base/digest.ts";

/**
 * Returns the header that links a request to its event and trigger run. The trace id is derived from the
 * fact, so all requests for it share one; a digest, because a key contains users' ids. Not sampled: it does
 * not request recording.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header-field-values
 */
export function traceparentOf(deliveryKey: string, spanId: string): string {
  return `00-${traceIdOf(deliveryKey)}-${spanId}-00`;
}

/** Returns a fact's trace id: 32 hexadecimal digits. */
export function traceIdOf(deliveryKey: string): string {
  return sha256Hex(deliveryKey).slice(0, 32);
}

/** Returns the id of one trigger's run: 16 hexadecimal digits. @param token returns a unique text */
export function newSpanId(token: () => string): string {
  return sha256Hex(token()).slice(0, 16);
}
