import { isRecord, parseJson } from "../../lib/base/json.ts";
import { isEventName } from "../../lib/events/app-event.ts";
import type { Output, Style } from "../output.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;

type LogLevel = (typeof logLevels)[number];

export interface LogLine {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Function key, or name of another log. */
  readonly source: string;
  readonly eventId: string;
  /** `own`: written by the function. `lambda`: by Lambda itself. */
  readonly kind: "own" | "metric" | "lambda" | "text";
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

type RawLine = Pick<LogLine, "eventId" | "atMs" | "source"> & { readonly text: string };

export function readLogLine({ text, ...where }: RawLine): LogLine {
  const trimmed = text.trimEnd();
  const fields = trimmed.startsWith("{") ? parseJson(trimmed) : undefined;
  return { ...where, ...(isRecord(fields) ? readFields(fields) : readText(trimmed)) };
}

type Read = Pick<LogLine, "kind" | "level" | "message" | "fields">;

function readFields(all: Readonly<Record<string, unknown>>): Read {
  const { timestamp: _, level, message, type, record, _aws, ...fields } = all;
  if (isRecord(_aws)) return { kind: "metric", level: "debug", message: "counted", fields };
  // @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
  if (typeof type === "string" && type.startsWith("platform.") && isRecord(record)) {
    const isWell = record.status === undefined || record.status === "success";
    return { kind: "lambda", level: isWell ? "debug" : "error", message: type, fields: record };
  }
  if (typeof message === "string") return { kind: "own", level: toLevel(level), message, fields };
  // The runtime's JSON errors and access logs have it.
  const said = isRecord(message) ? message : fields;
  const errorText = typeof said.errorMessage === "string" ? said.errorMessage : "";
  return { kind: "text", level: toLevel(level), message: errorText, fields: said };
}

const consoleLine = /^\d{4}-\d\d-\d\dT[\d:.]+Z\t(\S+)\t(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\t([\s\S]*)$/;
const invocationLine = /^(START|END|REPORT|INIT_START|INIT_REPORT) (RequestId: (\S+))?/;
const timedOut = /^\S+ (\S+) (Task timed out after .*)$/;

function readText(text: string): Read {
  const [, requestId, level, message] = text.match(consoleLine) ?? [];
  if (message !== undefined) return { kind: "text", level: toLevel(level), message, fields: { requestId } };
  const [, word, , invocation] = text.match(invocationLine) ?? [];
  if (word !== undefined) {
    return {
      kind: "lambda",
      level: "debug",
      message: text.replaceAll("\t", "  "),
      fields: { requestId: invocation },
    };
  }
  const [, ofRequest, ended] = text.match(timedOut) ?? [];
  if (ended !== undefined) {
    return { kind: "lambda", level: "error", message: ended, fields: { requestId: ofRequest } };
  }
  const isBad = /^RequestId: \S+ Error:|Runtime exited|was killed/.test(text);
  return { kind: "text", level: isBad ? "error" : "info", message: text, fields: {} };
}

function toLevel(level: unknown): LogLevel {
  const name = String(level).toLowerCase();
  if (name === "fatal") return "error";
  if (name === "trace") return "debug";
  return logLevels.find((one) => one === name) ?? "info";
}

export interface LineFilter {
  readonly appId?: string | undefined;
  /** An event's name, or a trigger handler's. */
  readonly trigger?: string | undefined;
  readonly lane?: string | undefined;
  readonly level: LogLevel;
  readonly hasMetrics: boolean;
}

export function isMeant(
  { kind, level, fields }: LogLine,
  { level: least, hasMetrics, trigger, ...wanted }: LineFilter,
): boolean {
  if (trigger !== undefined && !isAboutTrigger(fields, trigger)) return false;
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined && fields[name] !== value) return false;
  }
  return kind === "metric" ? hasMetrics : logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** `ran` of an event's end names those that ran; `part` and `triggerLane` name the trigger's own lane. */
function isAboutTrigger({ trigger, step, part, triggerLane, ran }: LogLine["fields"], name: string) {
  if ([trigger, part, triggerLane].includes(name)) return true;
  if (typeof step === "string" && step.endsWith(` ${name}`)) return true;
  return Array.isArray(ran) && [name, `${name} (shadow)`].some((one) => ran.includes(one));
}

// Patterns only make CloudWatch send less; lines are filtered again: match too much, never too little.

/**
 * Searches by field if one is wanted, else by words of the level's lines, in both formats.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function toFilterPattern({ level, hasMetrics, trigger, ...wanted }: LineFilter): string {
  // Fields of several kinds name a trigger handler, so all lines are read.
  const event = isEventName(trigger) ? trigger : undefined;
  const conditions = Object.entries({ ...wanted, trigger: event }).flatMap(([field, value]) =>
    value === undefined ? [] : [`($.${field} = ${quote(value)})`],
  );
  if (conditions.length > 0) return `{ ${conditions.join(" && ")} }`;
  if (hasMetrics || level === "debug" || level === "info") return "";
  const words = ["ERROR", "FATAL", "Error", "error", "timed", "exited", "killed", "failure", "timeout"];
  return [...words, ...(level === "warn" ? ["WARN"] : [])].map((word) => `?${word}`).join(" ");
}

export function toEventPattern(event: { readonly key: string } | { readonly messageId: string }): string {
  if ("key" in event) return `{ $.deliveryKey = ${quote(event.key)} }`;
  const { messageId } = event;
  const fields = ["messageId", "about", "replyId"].map((field) => `($.${field} = ${quote(messageId)})`);
  return `{ ($.deliveryKey = ${quote(`*|${messageId}*`)}) || ${fields.join(" || ")} }`;
}

/** Characters with a meaning become wildcards: lines are filtered again. */
export function quote(value: string): string {
  return `"${value.replaceAll(/["\\]+/g, "*")}"`;
}

const styles: Readonly<Record<LogLevel, Style>> = {
  debug: "dim",
  info: "green",
  warn: "yellow",
  error: "red",
};

export type Line = Omit<LogLine, "atMs" | "eventId"> & { readonly time: string };

/** Fields printed elsewhere or not useful: `--json` has them. */
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

export function printLogLine(
  { time, source, level, message, fields }: Omit<Line, "kind">,
  out: Output,
): void {
  const { appId, trigger, deliveryKey, stack } = fields;
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
    out.style("dim", time.slice(11, 23)),
    out.style(styles[level], level.toUpperCase().padEnd(5)),
    source.padEnd(13),
    message.replaceAll(/[\r\n]+/g, " ⏎ "),
    ...(about === "" ? [] : [out.style("cyan", about)]),
    ...(facts.length === 0 ? [] : [out.style("dim", facts.join(" "))]),
  ];
  out.line(parts.join("  "));
  if (typeof stack === "string") for (const line of stack.split("\n")) out.line(`    ${line.trim()}`);
}

function toShown(value: unknown) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return typeof value === "string" && /[\s"=]/.test(cut) ? JSON.stringify(cut) : cut;
}
