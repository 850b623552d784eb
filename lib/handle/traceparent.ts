import { sha256Hex } from "../base/digest.ts";

/**
 * Links a request to its event and trigger. The trace id is a digest, because an occurrence's key contains
 * users' ids. Not sampled: it requests no recording.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header-field-values
 */
export function traceparentOf(deliveryKey: string, spanId: string): string {
  return `00-${traceIdOf(deliveryKey)}-${spanId}-00`;
}

export function traceIdOf(deliveryKey: string): string {
  return sha256Hex(deliveryKey).slice(0, 32);
}

/** Returns 16 hexadecimal digits. */
export function newSpanId(token: () => string): string {
  return sha256Hex(token()).slice(0, 16);
}
