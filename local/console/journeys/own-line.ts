import { isRecord, parseJson } from "../../../lib/base/json.ts";

/** A line of a function's own, as lib/base/log.ts writes it. */
export interface OwnLine {
  readonly atMs: number;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads a line; undefined for what is none of ours. @param atMs when it came, where it does not say when it was written */
export function readOwnLine(text: string, atMs: number): OwnLine | undefined {
  const all = text.startsWith("{") ? parseJson(text) : undefined;
  if (!isRecord(all) || typeof all.message !== "string") return undefined;
  const { timestamp, level, message, function: _, ...fields } = all;
  const toldAtMs = Date.parse(String(timestamp));
  return { atMs: Number.isNaN(toldAtMs) ? atMs : toldAtMs, level: String(level), message, fields };
}
