import * as z from "zod/mini";
import { logLevels } from "../../../cli/see/log-line.ts";
import type { LogList, LogRow, WholeLine } from "../api/log.ts";
import type { ConsoleContext } from "../console-context.ts";
import type { KeptLine } from "../kept-list.ts";
import { aCount, aText, must, readFilters } from "../read-input.ts";
import { namesOf, pageOf } from "../rows.ts";

export function addLogRoutes({ on, lines }: ConsoleContext): void {
  on.get("/api/log", (context) => pickLines(lines.all, readFilters(context, lineFilterSchema)));
  on.get("/api/log/:id", (context) => {
    const id = context.req.param("id");
    const kept = "The newest 20,000 of this run are kept.";
    const { text } = must(lines.find(Number(id)), `There is no line ${id}. ${kept}`);
    return { text } satisfies WholeLine;
  });
}

const lineFilterSchema = z.object({
  /** Part of the written line, case-insensitive. */
  text: aText,
  level: z.optional(z.enum(logLevels)),
  function: aText,
  app: aText,
  /** Handling of one event, or of one queue message. */
  key: aText,
  message: aText,
  request: aText,
  /** Includes Lambda's lines; its failures are always included. */
  lambda: z.optional(z.literal("yes")),
  page: aCount,
});

export type LineFilter = z.output<typeof lineFilterSchema>;

/** Returns lines with secrets. The first page has the newest, oldest first. */
export function pickLines(lines: readonly KeptLine[], filter: LineFilter): LogList {
  const found = lines.filter(toTest(filter)).toReversed();
  const { rows, ...page } = pageOf(found, filter.page, 300, toLogRow);
  const functions = namesOf(lines.map(({ functionKey }) => functionKey));
  return { ...page, rows: rows.toReversed(), kept: lines.length, functions };
}

function toTest(filter: LineFilter): (line: KeptLine) => boolean {
  const { function: functionKey, app: appId, key, message, request, lambda } = filter;
  const text = filter.text?.toLowerCase();
  const least = logLevels.indexOf(filter.level ?? "info");
  const fieldsMeant = { appId, deliveryKey: key, queueMessageId: message, requestId: request };
  const meant = Object.entries(fieldsMeant).filter(([, value]) => value !== undefined);
  return (line) => {
    if (functionKey !== undefined && line.functionKey !== functionKey) return false;
    if (text !== undefined && !line.text.toLowerCase().includes(text)) return false;
    const { kind, level, fields } = line.read();
    if (meant.some(([name, value]) => fields[name] !== value)) return false;
    if (kind === "lambda" && level !== "error") return lambda === "yes";
    return logLevels.indexOf(level) >= least;
  };
}

const longestField = 2_000;

function toLogRow({ id, atMs, functionKey, read }: KeptLine): LogRow {
  const { kind, level, message, fields } = read();
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return name === "function" || text === "" ? [] : [[name, cut(text)]];
  });
  const shown = { id, atMs, functionKey, kind, level };
  return { ...shown, message: cut(message), fields: Object.fromEntries(pairs) };
}

function cut(text: string) {
  return text.length > longestField ? `${text.slice(0, longestField)} …` : text;
}

/** Returns the last line's stack with this field, in source lines. */
export function findStack(
  lines: readonly KeptLine[],
  field: "deliveryKey" | "flowId",
  value: string | undefined,
): string | undefined {
  const line = lines.findLast(({ text, read }) => {
    if (value === undefined || !text.includes('"stack"')) return false;
    const { fields } = read();
    return fields[field] === value && typeof fields.stack === "string";
  });
  return line && String(line.read().fields.stack);
}
