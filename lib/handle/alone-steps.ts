import type { Progress } from "../queue/lanes/progress.ts";

/** After 90 min, an event refused alone is no longer the sign of an outage. */
const longestMs = 90 * 60_000;

export type AloneSteps = ReturnType<typeof createAloneSteps>;

export function createAloneSteps(
  progress: Pick<Progress, "alone">,
  { since, now }: { readonly since: number; readonly now: () => number },
) {
  const alone = new Map(Object.entries(progress.alone ?? {}));
  return {
    /** Returns the tries once a step has been refused alone for too long. */
    note: (step: string, isAlone: boolean): number | undefined => {
      const before = alone.get(step);
      alone.delete(step);
      if (!isAlone) return undefined;
      // The wait begins again after a pause, and after hours without an attempt.
      const known = { since: Math.max(before?.since ?? now(), since), tries: (before?.tries ?? 0) + 1 };
      alone.set(step, known);
      return now() < known.since + longestMs ? undefined : known.tries;
    },
    forget: (step: string) => alone.delete(step),
    wakeAtFor: (step: string, wakeAt: number): number => {
      const endsAt = (alone.get(step)?.since ?? 0) + longestMs;
      return endsAt > now() ? Math.min(wakeAt, endsAt) : wakeAt;
    },
    kept: (): Pick<Progress, "alone"> => (alone.size === 0 ? {} : { alone: Object.fromEntries(alone) }),
  };
}
