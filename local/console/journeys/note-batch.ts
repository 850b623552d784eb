import type { BatchEvent } from "../../cloud/event-source.ts";
import type { LineNotes } from "./note-line.ts";

export function createBatchNotes(lines: LineNotes, now: () => number) {
  return {
    note({ records, failures, error, requestId = "" }: BatchEvent): void {
      if (error !== undefined) {
        for (const attempt of lines.runningIn(requestId)) {
          Object.assign(attempt, { outcome: "interrupted", why: shortError(error) });
        }
      }
      for (const { messageId, attributes } of records) {
        const { SentTimestamp, ApproximateFirstReceiveTimestamp, ApproximateReceiveCount } = attributes;
        const waitedMs = Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp);
        lines.whenKnown(messageId, (message) => {
          const attempt = message.attempts.findLast((one) => one.requestId === requestId);
          const isFirst = ApproximateReceiveCount === "1";
          if (attempt !== undefined) {
            if (isFirst) attempt.waitedMs = waitedMs;
            if (error !== undefined && attempt.outcome === "running") {
              Object.assign(attempt, { outcome: "interrupted", why: shortError(error) });
            }
            return;
          }
          if (!failures.includes(messageId)) return;
          message.attempts.push({
            requestId,
            number: message.attempts.length + 1,
            atMs: now(),
            endedMs: undefined,
            waitedMs: isFirst ? waitedMs : undefined,
            outcome: "interrupted",
            why: shortError(error ?? "the function returned it to the queue"),
            isDetailed: false,
            runs: [],
            notes: [],
          });
        });
      }
      lines.forgetInvocation(requestId);
    },
  };
}

function shortError(error: string): string {
  const [, said] = /"errorMessage":"((?:[^"\\]|\\.)*)"/.exec(error) ?? [];
  return (said ?? error).slice(0, 300);
}
