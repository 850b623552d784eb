import { describeError } from "./describe-error.ts";
import { hideSecrets, longestSpelling } from "./known-secrets.ts";

/** CloudWatch takes 1 MB; nobody reads more than this of one line. In characters, before JSON escapes any. */
const longestLine = 24_000;
const longestText = 4_000;
const longestName = 100;
const mostEntries = 100;
const deepest = 6;

const masked = "[redacted]";

/** Names of fields that hold a secret, whatever they are given; of what is no secret itself, `secretId` for instance, the end tells. */
const secretName =
  /pass(word|wd|phrase)|secret|token|api_?key|private_?key|authorization|cookie|credential|signature/i;
const harmlessName = /(id|name|count|ms)$/i;
/** Names of fields that would hold what somebody wrote. */
const textName = /^(text|body|caption|content)$/i;

/**
 * Turns facts into what JSON can say: secrets and texts replaced, what is long cut, what is circular or cannot be read
 * named. Nothing is called on the way but getters, whose errors end in the line. Never throws.
 */
export function toLogEntries(fields: object): readonly (readonly [name: string, value: unknown])[] {
  const room = { left: longestLine };
  try {
    return entriesOf(fields, room, []);
  } catch {
    return [["fields", unreadable]]; // an object may refuse to say what it has
  }
}

/** Stands for what cannot be read. */
export const unreadable = "[unreadable]";

interface Room {
  left: number;
}

function entriesOf(fields: object, room: Room, within: readonly object[]): [string, unknown][] {
  const names = Object.keys(fields);
  const entries = names.slice(0, mostEntries).flatMap((name): [string, unknown][] => {
    if (room.left <= 0) return [];
    const shownName = cut(name, longestName, room);
    const value = readEntry(fields, name);
    if (value === undefined || typeof value === "function" || typeof value === "symbol") return [];
    if (textName.test(name) && typeof value !== "number") return [[shownName, masked]];
    if (secretName.test(name) && !harmlessName.test(name)) return [[shownName, masked]];
    return [[shownName, toValue(value, room, within)]];
  });
  if (names.length > mostEntries) entries.push(["more", names.length - mostEntries]);
  return entries;
}

function toValue(value: unknown, room: Room, within: readonly object[]): unknown {
  if (typeof value === "string") return cut(value, longestText, room);
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object") return cut(String(value), longestText, room);
  if (value instanceof Error) return cut(describeError(value), longestText, room);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : value.toISOString();
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
    return unreadable; // the other fields are told all the same
  }
}

function readEntry(fields: object, name: string): unknown {
  try {
    return Reflect.get(fields, name);
  } catch {
    return unreadable; // a getter's error is not worth a line that is lost
  }
}

/**
 * Cuts a text, its secrets replaced before: half a secret would not be known any more. What may be the beginning of one
 * at the end of a very long text is left out.
 */
function cut(text: string, longest: number, room: Room): string {
  const limit = Math.max(0, Math.min(longest, room.left));
  const isLong = text.length > limit;
  const begin = text.length > limit + longestSpelling ? text.slice(0, limit + longestSpelling) : text;
  const hidden = hideSecrets(begin);
  const sure = begin === text ? hidden : hidden.slice(0, Math.max(0, hidden.length - longestSpelling));
  const shown = isLong ? `${sure.slice(0, limit)} [${text.length - limit} more]` : sure;
  room.left -= shown.length;
  return shown;
}
