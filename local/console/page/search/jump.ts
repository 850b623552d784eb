import { go, parseRoute, toHash } from "../parts/route.ts";

/** Until the view has left a message: its effects run after the next frame, 35 ms later at most. */
const leavingMs = 100;

/** Goes there, also to the message that the address names already, and puts the focus into the view. */
export function jump(hash: string): void {
  if (hash === location.hash) {
    const { view, rest, query } = parseRoute(hash);
    query.delete("message");
    go(toHash(view, rest, Object.fromEntries(query)), { replace: true });
    setTimeout(() => go(hash, { replace: true }), leavingMs);
  } else go(hash);
  // The dialog, when it is gone, has given the focus back.
  setTimeout(() => document.getElementById("main")?.focus({ preventScroll: true }));
}
