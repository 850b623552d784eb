import { isRecord } from "../base/json.ts";

// What a flow has come by is kept as text between its steps, and events hold dates, which JSON does not.

/** Writes a value as a text that `fromFlowText` reads again, dates included; what JSON leaves out is left out. */
export function toFlowText(value: unknown): string {
  return JSON.stringify(mark(value)) ?? "null";
}

/**
 * What a flow gets of a step or an event, by `checkpointBytes`; a checkpoint holds 256 KB, and the step's own facts stand
 * beside it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxValueBytes = 240_000;

/** Gives the size of a text in a checkpoint, where it is a text within JSON. */
export function checkpointBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Reads what `toFlowText` wrote. @throws SyntaxError for any other text that is no JSON */
export function fromFlowText(text: string) {
  return JSON.parse(text, (_key, value: unknown) => unmark(value));
}

const dateMark = "$date";
/** Around an object of somebody else's that looks like a mark. */
const plainMark = "$plain";

function mark(value: unknown): unknown {
  if (value instanceof Date) return { [dateMark]: value.getTime() };
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
