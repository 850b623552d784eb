/** 2000-01-01 and 2100-01-01, in milliseconds since 1970: what lies outside is no moment that a chat can tell of. */
const earliestMs = 946_684_800_000;
const latestMs = 4_102_444_800_000;

/** Milliseconds in a second, in a millisecond and in a microsecond. Between those bounds, no number means two of them. */
const unitsMs = [1000, 1, 0.001];

/** With a zone: what has none may be anywhere on a day. */
const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Reads a moment: seconds, milliseconds or microseconds since 1970, told apart by their magnitude, as a number or as
 * digits, or ISO 8601 with a zone. `undefined` for everything else, and for what is before 2000 or after 2100.
 * @see docs/platform/events.md#time-units
 */
export function readMoment(value: unknown): Date | undefined {
  const amount = toNumber(value);
  if (amount !== undefined) {
    for (const unitMs of unitsMs) if (isLikely(amount * unitMs)) return new Date(amount * unitMs);
    return undefined;
  }
  const ms = typeof value === "string" && isoPattern.test(value) ? Date.parse(value) : Number.NaN;
  return isLikely(ms) ? new Date(ms) : undefined;
}

/** Reads a number or its digits; `undefined` for everything else. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function isLikely(ms: number): boolean {
  return ms >= earliestMs && ms < latestMs;
}
