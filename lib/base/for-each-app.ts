import { sideBySide } from "./side-by-side.ts";

/**
 * Runs work for each app and returns the results in the apps' order. Runs few apps one after the other, and
 * many with up to eight in parallel. Each app gets an equal share of the time that is left at its start, so
 * that an app that hangs does not use up the others' time.
 * @param work Gets the end of the app's share, in milliseconds since 1970, and must keep to it. If it throws,
 *   the other apps may not run.
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

/** Each app has its own host, secret and rate limit. Only the function's processor is shared. */
const mostAtOnce = 8;

/** Up to this number, apps run one after the other. */
const fewApps = 8;
