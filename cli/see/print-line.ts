import type { Output, Style } from "../output.ts";
import type { LogLevel, LogLine, lineKinds, logLevels } from "./log-line.ts";

const styles: Readonly<Record<LogLevel, Style>> = {
  debug: "dim",
  info: "green",
  warn: "yellow",
  error: "red",
};

export interface Line {
  time: string;
  source: string;
  kind: (typeof lineKinds)[number];
  level: (typeof logLevels)[number];
  message: string;
  fields: Record<string, unknown>;
}

/** Printed elsewhere or not useful: `--json` has them. */
const placed = new Set([
  "appId",
  "trigger",
  "deliveryKey",
  "function",
  "requestId",
  "stack",
  "lane",
  "laneId",
]);
const longest = 160;

/** Time in UTC, level, function, message, event's app and key, and the rest. */
export function printLogLine({ atMs, source, level, message, fields }: LogLine, out: Output): void {
  const { appId, trigger, deliveryKey, stack } = fields;
  const time = new Date(atMs).toISOString().slice(11, 23);
  const about = [appId, trigger].filter((one) => typeof one === "string").join(" ");
  const facts = Object.entries(fields)
    .filter(([name, value]) => !placed.has(name) && value !== undefined)
    .map(([name, value]) =>
      name.endsWith("Ms") && typeof value === "number"
        ? `${name.slice(0, -2)}=${Math.round(value)} ms`
        : `${name}=${toShown(value)}`,
    );
  if (typeof deliveryKey === "string") facts.push(`key=${toShown(deliveryKey)}`);
  const parts = [
    out.style("dim", time),
    out.style(styles[level], level.toUpperCase().padEnd(5)),
    source.padEnd(13),
    message.replaceAll(/[\r\n]+/g, " ⏎ "),
    ...(about === "" ? [] : [out.style("cyan", about)]),
    ...(facts.length === 0 ? [] : [out.style("dim", facts.join(" "))]),
  ];
  out.line(parts.join("  "));
  if (typeof stack === "string") for (const line of stack.split("\n")) out.line(`    ${line.trim()}`);
}

function toShown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return typeof value === "string" && /[\s"=]/.test(cut) ? JSON.stringify(cut) : cut;
}
