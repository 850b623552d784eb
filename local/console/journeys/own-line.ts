import { isRecord, parseJson } from "../../../lib/base/json.ts";

export interface OwnLine {
  readonly atMs: number;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Undefined for any other line.
 * @param atMs for a line without a time
 */
export function readOwnLine(text: string, atMs: number): OwnLine | undefined {
  const all = text.startsWith("{") ? parseJson(text) : undefined;
  if (!isRecord(all) || typeof all.message !== "string") return undefined;
  const { timestamp, level, message, function: _, ...fields } = all;
  const toldAtMs = Date.parse(String(timestamp));
  return { atMs: Number.isNaN(toldAtMs) ? atMs : toldAtMs, level: String(level), message, fields };
}
