import { isRecord } from "../json.ts";
import type { Log } from "../log.ts";

/** Tells of the entries of a batch request that SQS answered with 200 and refused all the same: how many, and why. */
export function warnOfFailed(answer: unknown, log: Pick<Log, "warn">): void {
  const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed : [];
  if (failed.length === 0) return;
  const codes = failed.map((entry) => (isRecord(entry) ? entry.Code : undefined));
  log.warn("the queue refused a part of a batch", { events: failed.length, codes: [...new Set(codes)] });
}
