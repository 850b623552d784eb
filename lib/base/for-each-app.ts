import { mapConcurrently } from "./batching.ts";

/**
 * Returns the results in the apps' order. Each app gets an equal share of the time left at its start: one
 * that hangs does not use up the others'.
 * @param work receives the end of its share, in milliseconds since 1970. If it throws, other apps may not
 * run.
 */
export function forEachApp<Result>(
  appIds: readonly string[],
  { deadlineMs, now }: { readonly deadlineMs: number; readonly now: () => number },
  work: (appId: string, shareEndsAt: number) => Promise<Result>,
): Promise<Result[]> {
  const atOnce = Math.min(mostAtOnce, Math.ceil(appIds.length / fewApps));
  return mapConcurrently(appIds, atOnce, (appId, index) => {
    const startedAt = now();
    const share = (deadlineMs - startedAt) * Math.min(1, atOnce / (appIds.length - index));
    return work(appId, startedAt + Math.max(0, share));
  });
}

/** Apps share only the function's processor. */
const mostAtOnce = 8;

const fewApps = 8;
