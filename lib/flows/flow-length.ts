import { isRecord } from "../base/json.ts";
import { PermanentError } from "../base/permanent-error.ts";
import { isValidDate } from "../base/realm.ts";
import { checkOptionNames } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { readPlainly } from "../chat/read-plainly.ts";

/** A time such as `{ minutes: 10 }` or `{ days: 1, hours: 12 }`: one second to one year. */
export type FlowLength = {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
} & (
  | { readonly days: number }
  | { readonly hours: number }
  | { readonly minutes: number }
  | { readonly seconds: number }
);

/**
 * Limit of a durable execution: 366 days.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_DurableConfig.html
 */
export const longestSeconds = 31_622_400;

/**
 * Returns seconds, rounded up.
 * @throws RangeError for less than a second or more than a year, InvalidInputError for another object
 */
export function secondsOf(length: FlowLength): number {
  readPlainly("a wait of a flow", "length", () => {
    if (!isRecord(length))
      throw new InvalidInputError(
        "a wait of a flow",
        "length",
        "such as { minutes: 10 }",
        length === undefined,
      );
    checkOptionNames("a wait of a flow", units, length);
    const wrongUnit = units.find((unit) => !["number", "undefined"].includes(typeof length[unit]));
    if (wrongUnit !== undefined) throw new InvalidInputError("a wait of a flow", wrongUnit, "a number");
  });
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = length;
  const total = Math.ceil(((days * 24 + hours) * 60 + minutes) * 60 + seconds);
  if (total >= 1 && total <= longestSeconds) return total;
  throw new RangeError(`A flow waits for 1 second at least and a year at most, not ${total} seconds.`);
}

/** @throws InvalidInputError */
export function checkUntil(date: unknown): void {
  const isValid = readPlainly("waitUntil", "date", () => isValidDate(date));
  if (!isValid) throw new InvalidInputError("waitUntil", "date", "a valid Date", date === undefined);
}

/**
 * Returns the seconds left, rounded up; 0 for the past.
 * @throws PermanentError for more than a year
 */
export function secondsUntil(date: Date, nowMs: number): number {
  const seconds = Math.max(0, Math.ceil((date.getTime() - nowMs) / 1000));
  if (seconds <= longestSeconds) return seconds;
  throw new PermanentError(`A flow waits for a year at most, and not until ${date.toISOString()}.`);
}

const units = ["days", "hours", "minutes", "seconds"] as const;
