import type { Counts, QueueRow } from "../../../api/queues.ts";

export function countPicked(rows: readonly Pick<QueueRow, "appId" | "trigger" | "reason">[]): Counts {
  const by = (nameOf: (row: Pick<QueueRow, "appId" | "trigger" | "reason">) => string) => {
    const counts: Record<string, number> = {};
    for (const row of rows) counts[nameOf(row)] = (counts[nameOf(row)] ?? 0) + 1;
    return counts;
  };
  return {
    selected: rows.length,
    byApp: by(({ appId }) => appId),
    byTrigger: by(({ trigger }) => trigger),
    byReason: by(({ reason = "" }) => reason),
  };
}
