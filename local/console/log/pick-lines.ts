import { logLevels } from "../../../cli/see/log-line.ts";
import type { LogLevel, LogList, LogRow } from "../api/log.ts";
import type { KeptLine } from "./line-store.ts";

export interface LineFilter {
  /** Part of the written line, case-insensitive. */
  readonly text?: string | undefined;
  readonly level?: LogLevel | undefined;
  readonly function?: string | undefined;
  readonly app?: string | undefined;
  /** Of this event's handling, or of one queue message. */
  readonly key?: string | undefined;
  readonly message?: string | undefined;
  readonly request?: string | undefined;
  /** Lambda's own lines; its failures are always included. */
  readonly lambda?: "yes" | undefined;
}

/** The newest, or the newest before `before`, oldest first. */
export function pickLines(
  lines: readonly KeptLine[],
  filter: LineFilter,
  page: { readonly before?: number | undefined; readonly after?: number | undefined; readonly limit: number },
): Omit<LogList, "lines"> & { readonly lines: readonly KeptLine[] } {
  const { before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY, limit } = page;
  const meant = lines.filter(toTest(filter));
  const older = meant.filter(({ id }) => id < before);
  return {
    lines: older.slice(-limit),
    hasOlder: older.length > limit,
    matching: meant.length,
    kept: lines.length,
    newer: meant.filter(({ id }) => id > after).length,
    functions: [...new Set(lines.map(({ functionKey }) => functionKey))].toSorted(),
  };
}

function toTest(filter: LineFilter): (line: KeptLine) => boolean {
  const { function: functionKey, app: appId, key, message, request, lambda } = filter;
  const text = filter.text?.toLowerCase();
  const least = logLevels.indexOf(filter.level ?? "info");
  const fieldsMeant = { appId, deliveryKey: key, queueMessageId: message, requestId: request };
  const meant = Object.entries(fieldsMeant).filter(([, value]) => value !== undefined);
  return (line) => {
    if (functionKey !== undefined && line.functionKey !== functionKey) return false;
    // Cheap check before parsing.
    if (text !== undefined && !line.text.toLowerCase().includes(text)) return false;
    const { kind, level, fields } = line.read();
    if (meant.some(([name, value]) => fields[name] !== value)) return false;
    if (kind === "lambda" && level !== "error") return lambda === "yes";
    return logLevels.indexOf(level) >= least;
  };
}

/** Characters of a field in a row. */
const longestField = 2_000;

export function toLogRow(
  { id, atMs, functionKey, read }: KeptLine,
  redact: (text: string) => string,
): LogRow {
  const { kind, level, message, fields } = read();
  const told = Object.entries(fields).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return name === "function" || text === "" ? [] : [[name, cut(redact(text))]];
  });
  const shown = { id, atMs, functionKey, kind, level };
  return { ...shown, message: cut(redact(message)), fields: Object.fromEntries(told) };
}

function cut(text: string): string {
  return text.length > longestField ? `${text.slice(0, longestField)} …` : text;
}

/** The stack of the last line with this field, in lines of the source. */
export function findStack(
  lines: readonly KeptLine[],
  field: "deliveryKey" | "flowId",
  value: string | undefined,
): string | undefined {
  const line = lines.findLast(({ text, read }) => {
    // Cheap check before parsing.
    if (value === undefined || !text.includes('"stack"')) return false;
    const { fields } = read();
    return fields[field] === value && typeof fields.stack === "string";
  });
  return line && String(line.read().fields.stack);
}
