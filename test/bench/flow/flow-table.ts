import type { FlowResult } from "./run-flow.ts";

/** Lays the runs out as Markdown: one table for the way, one for the CPU of each stage. */
export function toFlowTables(results: readonly FlowResult[]): string {
  const stages = [...new Set(results.flatMap(({ cpuMsPerMessage }) => Object.keys(cpuMsPerMessage)))];
  const rows = results.map(
    (one) =>
      `| ${one.messages} | ${one.deliveries} | ${one.lost} | ${one.twice} | ${one.seconds.toFixed(1)} | ${one.messagesPerSecond.toFixed(0)} | ${one.p50Ms.toFixed(0)} | ${one.p99Ms.toFixed(0)} |`,
  );
  const stageRows = stages.map(
    (stage) =>
      `| ${stage} | ${results.map(({ cpuMsPerMessage }) => (cpuMsPerMessage[stage] ?? 0).toFixed(2)).join(" | ")} |`,
  );
  return [
    "| messages | deliveries | lost | answered twice | seconds | messages/s | p50 ms | p99 ms |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
    `| CPU ms per message | ${results.map(({ messages }) => messages).join(" | ")} |`,
    `|---|${results.map(() => "---:").join("|")}|`,
    ...stageRows,
  ].join("\n");
}
