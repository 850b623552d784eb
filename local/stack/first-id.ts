/**
 * Higher than earlier starts' display ids, so that an old link never names something new. 15 digits at most.
 */
export function firstId(): number {
  return Date.now() * 100;
}
