import { sideBySide } from "./side-by-side.ts";

/**
 * Does work for each app, and gives the results in the apps' order: one after the other where they are few, up to eight side
 * by side where they are many. Each is given an equal share of the time that is left when its turn comes, so that one which
 * hangs costs the others nothing of theirs.
 * @param work gets the end of the app's share, in milliseconds since 1970; to keep to it is its own matter. It must not throw
 *   if the others are to have their turn
 */
export function forEachApp<Result>(
  appIds: readonly string[],
  { deadlineMs, now }: { readonly deadlineMs: number; readonly now: () => number },
  work: (appId: string, shareEndsAt: number) => Promise<Result>,
): Promise<Result[]> {
  const atOnce = Math.min(mostAtOnce, Math.ceil(appIds.length / fewApps));
  return sideBySide(appIds, atOnce, (appId, index) => {
    const startedAt = now();
    const share = (deadlineMs - startedAt) * Math.min(1, atOnce / (appIds.length - index));
    return work(appId, startedAt + Math.max(0, share));
  });
}

/** Each app has a host, a secret and a rate limit of its own; what they share is the processor of one function. */
const mostAtOnce = 8;

/** So many have a turn one after the other before a second is begun beside it. */
const fewApps = 8;
