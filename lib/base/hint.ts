import type { Count } from "./count-metric.ts";
import type { Log, LogFields } from "./log.ts";

/** Counts every time, logs once an hour. */
export type Hint = (metric: string, appId: string, text: string, fields?: LogFields) => void;

export interface HintTools {
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
}

const hourMs = 3_600_000;

/** Creates a hint, which keeps each app id in memory. */
export function createHint({ log, count, now }: HintTools): Hint {
  const loggedAt = new Map<string, number>();
  return (metric, appId, text, fields) => {
    count(metric, { appId });
    const key = `${metric} ${appId}`;
    if (now() - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < hourMs) return;
    loggedAt.set(key, now());
    log.warn(text, { appId, ...fields });
  };
}
