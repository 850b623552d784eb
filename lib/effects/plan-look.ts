/** What to do about an effect that may have happened. */
export type Look =
  /** Too early to look. */
  | { readonly kind: "wait"; readonly retryAtMs: number }
  /** Look; if nothing is found, wait again. */
  | { readonly kind: "look"; readonly retryAtMs: number }
  /** Look; if nothing is found, nothing happened. */
  | { readonly kind: "last look" };

/**
 * Assumes that an unanswered request is carried out at most 20 s late, and that lists show a message at most
 * 5 s late: what is not visible after 60 s did not happen. The platform promises neither figure.
 */
const lookAfterMs = [5_000, 20_000, 60_000] as const;

/**
 * Returns when to look for an effect that may have happened until `sinceMs` (pure). Both in milliseconds
 * since 1970.
 */
export function planLook(sinceMs: number, nowMs: number): Look {
  const ahead = lookAfterMs.map((afterMs) => sinceMs + afterMs).filter((atMs) => atMs > nowMs);
  const [retryAtMs] = ahead;
  if (retryAtMs === undefined) return { kind: "last look" };
  return { kind: ahead.length === lookAfterMs.length ? "wait" : "look", retryAtMs };
}
