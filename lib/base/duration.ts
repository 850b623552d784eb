import * as z from "zod/mini";

/** Such as `90s`, `30min`, `1h` or `2d`. */
export const duration = z.string().check(
  z.regex(/^0*[1-9]\d{0,5} ?(s|min|h|d)$/, {
    message: "must be a length of time above zero, like 30min, 1h or 2d",
  }),
);

export type DurationText = `${number}${"" | " "}${"s" | "min" | "h" | "d"}`;

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws RangeError if `duration` refuses it */
export function durationMs(text: string): number {
  const [, amount, unit = ""] = /^(0*[1-9]\d{0,5}) ?(s|min|h|d)$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined)
    throw new RangeError(`"${text}" is no length of time above zero, like 30min, 1h or 2d.`);
  return Number(amount) * unitMs;
}
