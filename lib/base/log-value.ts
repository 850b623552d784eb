import { describeError } from "./describe-error.ts";
import { readField } from "./errors.ts";
import { hideAndCut, mask } from "./known-secrets.ts";
import { isDate, isError } from "./realm.ts";

/** CloudWatch accepts 1 MB. In characters, before JSON escapes. */
const longestLine = 24_000;
const longestText = 4_000;
const longestName = 100;
const mostEntries = 100;
const deepest = 6;

/** The end of a name decides: `secretId` is no secret. */
const secretName =
  /pass(word|wd|phrase)|secret|token|api_?key|private_?key|authorization|cookie|credential|signature/i;
const harmlessName = /(id|name|count|ms)$/i;
/** Fields with these names may hold a user's text. */
const textName = /^(text|body|caption|content)$/i;

/** Replaces secrets and texts, cuts long values, marks circular and unreadable ones. Never throws. */
export function toLogEntries(fields: object): readonly (readonly [name: string, value: unknown])[] {
  const room = { left: longestLine };
  try {
    return entriesOf(fields, room, []);
  } catch {
    return [["fields", unreadable]];
  }
}

export const unreadable = "[unreadable]";

interface Room {
  left: number;
}

function entriesOf(fields: object, room: Room, within: readonly object[]): [string, unknown][] {
  const names = Object.keys(fields);
  const entries = names.slice(0, mostEntries).flatMap((name): [string, unknown][] => {
    if (room.left <= 0) return [];
    const shownName = cut(name, longestName, room);
    const value = readField(fields, name, unreadable);
    if (value === undefined || typeof value === "function" || typeof value === "symbol") return [];
    const isText = textName.test(name) && typeof value !== "number";
    const isHidden = isText || (secretName.test(name) && !harmlessName.test(name));
    return [[shownName, isHidden ? mask : toValue(value, room, within)]];
  });
  if (names.length > mostEntries) entries.push(["more", names.length - mostEntries]);
  return entries;
}

function toValue(value: unknown, room: Room, within: readonly object[]): unknown {
  if (typeof value === "boolean" || value === null || Number.isFinite(value)) return value;
  if (typeof value !== "object") return cut(String(value), longestText, room);
  if (isError(value)) return cut(describeError(value), longestText, room);
  if (isDate(value)) return value.toJSON() ?? "no date";
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (within.includes(value)) return "[circular]";
  if (within.length >= deepest || room.left <= 0) return "[more]";
  const inner = [...within, value];
  if (Array.isArray(value)) {
    const items = value.slice(0, mostEntries).map((item) => toValue(item ?? null, room, inner));
    return value.length > mostEntries ? [...items, `[${value.length - mostEntries} more]`] : items;
  }
  try {
    return Object.fromEntries(entriesOf(value, room, inner));
  } catch {
    return unreadable;
  }
}

function cut(text: string, longest: number, room: Room): string {
  const limit = Math.max(0, Math.min(longest, room.left));
  if (limit === 0 && text !== "") return `[${text.length} more]`;
  const begin = hideAndCut(text, limit);
  const shown = text.length > limit ? `${begin} [${text.length - limit} more]` : begin;
  room.left -= shown.length;
  return shown;
}
