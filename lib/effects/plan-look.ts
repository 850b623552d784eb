/** What to do about an effect that may have happened. */
export type Look =
  /** Too early even to look. */
  | { readonly kind: "wait"; readonly retryAtMs: number }
  /** Look; if nothing is found, wait again. */
  | { readonly kind: "look"; readonly retryAtMs: number }
  /** Look; if nothing is found, nothing happened. */
  | { readonly kind: "last look" };

/**
 * A request that got no answer may be carried out 20 s late, and lists show a message up to 5 s late: what is not to be
 * seen after 60 s did not happen. The platform promises neither figure; both are what its clients have to live with.
 */
const lookAfterMs = [5_000, 20_000, 60_000] as const;

/** Tells when to look for an effect that may have happened until `sinceMs` (pure). Both in milliseconds since 1970. */
export function planLook(sinceMs: number, nowMs: number): Look {
  const ahead = lookAfterMs.map((afterMs) => sinceMs + afterMs).filter((atMs) => atMs > nowMs);
  const [retryAtMs] = ahead;
  if (retryAtMs === undefined) return { kind: "last look" };
  return { kind: ahead.length === lookAfterMs.length ? "wait" : "look", retryAtMs };
}
