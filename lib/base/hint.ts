import type { Count } from "./count-metric.ts";
import type { Log, LogFields } from "./log.ts";

/** Counts something odd about an app each time, as a metric of that name, and says it in the log once an hour. */
export type Hint = (metric: string, appId: string, text: string, fields?: LogFields) => void;

export interface HintTools {
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
}

const hourMs = 3_600_000;

/** Makes hints of one process. The apps named must be known ones: each is remembered. */
export function createHint({ log, count, now }: HintTools): Hint {
  const saidAt = new Map<string, number>();
  return (metric, appId, text, fields) => {
    count(metric, { appId });
    const key = `${metric} ${appId}`;
    if (now() - (saidAt.get(key) ?? Number.NEGATIVE_INFINITY) < hourMs) return;
    saidAt.set(key, now());
    log.warn(text, { appId, ...fields });
  };
}
