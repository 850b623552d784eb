import type { LogRow } from "../../../api/log.ts";

const hidden = new Set(["stack", "lane", "laneId", "requestId", "queueMessageId", "deliveryKey"]);
const longest = 120;

export function factsOf({ kind, fields }: Pick<LogRow, "kind" | "fields">): string {
  if (kind === "lambda") return "";
  return Object.entries(fields)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) =>
      name === "appId" || name === "trigger" ? value : `${shortName(name)}=${shortValue(name, value)}`,
    )
    .join("  ");
}

function shortName(name: string): string {
  return name.endsWith("Ms") ? name.slice(0, -2) : name;
}

function shortValue(name: string, value: string): string {
  if (name.endsWith("Ms") && value !== "" && Number.isFinite(Number(value))) {
    return `${Math.round(Number(value))} ms`;
  }
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
