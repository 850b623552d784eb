import { isRecord } from "../base/json.ts";
import { isDate } from "../base/realm.ts";

/** Converts a value to JSON, keeping dates, which JSON does not have. */
export function toFlowText(value: unknown): string {
  return JSON.stringify(mark(value)) ?? "null";
}

/**
 * Maximum of a step's result or an event, by `checkpointBytes`; a checkpoint holds 256 KB with the step's own
 * data.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxValueBytes = 240_000;

/** Returns the size within a checkpoint, where the text is a JSON string. */
export function checkpointBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** @throws SyntaxError if it is not JSON */
export function fromFlowText(text: string) {
  return JSON.parse(text, (_key, value: unknown) => unmark(value));
}

const dateMark = "$date";
const plainMark = "$plain";

function mark(value: unknown): unknown {
  if (isDate(value)) return { [dateMark]: value.getTime() };
  if (Array.isArray(value)) return value.map(mark);
  if (!isRecord(value) || typeof value.toJSON === "function") return value;
  const marked = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mark(one)]));
  return isMarked(value) ? { [plainMark]: Object.entries(marked) } : marked;
}

function unmark(value: unknown): unknown {
  if (!isRecord(value) || !isMarked(value)) return value;
  const date = value[dateMark];
  if (typeof date === "number" || date === null) return new Date(date ?? Number.NaN);
  const plain = value[plainMark];
  return Array.isArray(plain) ? Object.fromEntries(plain) : value;
}

function isMarked(value: Record<string, unknown>): boolean {
  const names = Object.keys(value);
  return names.length === 1 && (names[0] === dateMark || names[0] === plainMark);
}
