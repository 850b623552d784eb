/** 2000-01-01 and 2100-01-01, in milliseconds since 1970. */
const earliestMs = 946_684_800_000;
const latestMs = 4_102_444_800_000;

/** Per second, millisecond and microsecond. Within the bounds above, only one unit is valid. */
const unitsMs = [1000, 1, 0.001];

/** Without a time zone, the time may be off by hours. */
const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Seconds, milliseconds or microseconds since 1970, distinguished by magnitude, as a number or digits; or ISO
 * 8601 with a zone.
 * @returns undefined for any other value, and before 2000 or after 2100
 * @see docs/internals/platform/events.md#time-units
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

export function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function isLikely(ms: number): boolean {
  return ms >= earliestMs && ms < latestMs;
}
