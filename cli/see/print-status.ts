import type { Output } from "../output.ts";
import { toTable } from "../table.ts";
import type { Status } from "./status-schema.ts";

/** Prints a stage's status: first what needs attention. */
export function printStatus({ at, stack, troubles, queues, functions, apps }: Status, out: Output): void {
  out.line(`${at.slice(0, 19).replace("T", " ")} UTC, stack ${stack}`);
  if (troubles.length === 0) out.line(`${out.style("green", "✓")} nothing needs attention`);
  for (const { says, type } of troubles) {
    out.line(`${out.style("red", "✗")} ${says}${type === undefined ? "" : `  → ${type}`}`);
  }
  const print = (lines: readonly string[]) => {
    out.line();
    for (const line of lines) out.line(line);
  };
  print(
    toTable(queues, [
      { title: "queue", of: ({ queue }) => queue },
      { title: "waiting", of: ({ waiting }) => String(waiting), align: "right" },
      { title: "in hand", of: ({ taken }) => String(taken), align: "right" },
      { title: "oldest", of: ({ oldestSeconds }) => toSpan(oldestSeconds), align: "right" },
    ]),
  );
  const active = functions.filter(
    ({ invocations, errors, throttles }) => invocations + errors + throttles > 0,
  );
  print(
    toTable(active, [
      { title: "function, last hour", of: (one) => one.function },
      { title: "runs", of: ({ invocations }) => String(invocations), align: "right" },
      { title: "errors", of: ({ errors }) => String(errors), align: "right" },
      { title: "throttled", of: ({ throttles }) => String(throttles), align: "right" },
      { title: "average", of: ({ averageMs }) => toMs(averageMs), align: "right" },
      { title: "longest", of: ({ longestMs }) => toMs(longestMs), align: "right" },
    ]),
  );
  print(
    toTable(apps, [
      { title: "app, last 5 min", of: ({ appId }) => appId },
      { title: "events/min", of: ({ handledPerMinute }) => handledPerMinute.toFixed(1), align: "right" },
      { title: "lag (half)", of: ({ medianMs }) => toMs(medianMs), align: "right" },
      { title: "lag (99 %)", of: ({ slowMs }) => toMs(slowMs), align: "right" },
      { title: "", of: (app) => told(app) },
    ]),
  );
}

function told({ closed, isInTrouble, paused }: Status["apps"][number]): string {
  return [
    ...(paused.length > 0 ? [`paused: ${paused.join(", ")}`] : []),
    ...(closed.length > 0 ? [`closed: ${closed.join(", ")}`] : []),
    ...(isInTrouble ? ["conversations are parked, or were lately"] : []),
  ].join("; ");
}

function toMs(ms: number | undefined): string {
  if (ms === undefined) return "–";
  return ms < 10_000 ? `${Math.round(ms)} ms` : toSpan(ms / 1000);
}

function toSpan(seconds: number | undefined): string {
  if (seconds === undefined) return "–";
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
