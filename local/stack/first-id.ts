/**
 * Returns the first of a start's display ids: higher than those of earlier starts, so that an old page or
 * link never names something new. Ids have 15 digits at most.
 */
export function firstId(): number {
  return Date.now() * 100;
}
