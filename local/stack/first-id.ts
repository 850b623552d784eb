/**
 * Gives the number from which a start counts what it shows: above all that an earlier start has counted, so that a page or
 * a link that is older than this start names nothing else by accident. Longest ids have 15 digits.
 */
export function firstId(): number {
  return Date.now() * 100;
}
