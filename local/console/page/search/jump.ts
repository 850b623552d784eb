import { go, parseRoute, toHash } from "../parts/route.ts";

/** Goes there, also to the message that the address names already, and puts the focus into the view. */
export function jump(hash: string): void {
  if (hash === location.hash) {
    const { view, rest, query } = parseRoute(hash);
    query.delete("message");
    go(toHash(view, rest, Object.fromEntries(query)), { replace: true });
    // Not before the view has left the message.
    setTimeout(() => go(hash, { replace: true }));
  } else go(hash);
  document.getElementById("main")?.focus({ preventScroll: true });
}
