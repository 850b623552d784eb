import { logLevels } from "../../../cli/see/log-line.ts";
import type { LogLevel, LogList, LogRow } from "../api/log.ts";
import type { KeptLine } from "./line-store.ts";

export interface LineFilter {
  /** Part of the written line, case-insensitive. */
  readonly text?: string | undefined;
  readonly level?: LogLevel | undefined;
  readonly functionKey?: string | undefined;
  readonly appId?: string | undefined;
  /** Of this delivery's handling, or of one queue message. */
  readonly deliveryKey?: string | undefined;
  readonly queueMessageId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Lambda's own lines; its failures are always included. */
  readonly withLambda: boolean;
}

/** The newest, or the newest before `before`, oldest first. */
export function pickLines(
  lines: readonly KeptLine[],
  filter: LineFilter,
  page: { readonly before?: number | undefined; readonly after?: number | undefined; readonly limit: number },
): Omit<LogList, "lines"> & { readonly lines: readonly KeptLine[] } {
  const { before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY, limit } = page;
  const meant = lines.filter(toTest(filter));
  const older = before === Number.POSITIVE_INFINITY ? meant : meant.filter(({ id }) => id < before);
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
  const { functionKey, appId, deliveryKey, queueMessageId, requestId, withLambda } = filter;
  const text = filter.text?.toLowerCase();
  const least = logLevels.indexOf(filter.level ?? "info");
  return (line) => {
    if (functionKey !== undefined && line.functionKey !== functionKey) return false;
    // Cheap check before parsing.
    if (text !== undefined && !line.text.toLowerCase().includes(text)) return false;
    const { kind, level, fields } = line.read();
    if (appId !== undefined && fields.appId !== appId) return false;
    if (deliveryKey !== undefined && fields.deliveryKey !== deliveryKey) return false;
    if (queueMessageId !== undefined && fields.queueMessageId !== queueMessageId) return false;
    if (requestId !== undefined && fields.requestId !== requestId) return false;
    if (kind === "lambda" && level !== "error") return withLambda;
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
  return {
    id,
    atMs,
    functionKey,
    kind,
    level,
    message: cut(redact(message)),
    fields: Object.fromEntries(told),
  };
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
