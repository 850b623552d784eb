import * as z from "zod/mini";

/**
 * A uid or guid in config/. The platform lowers ids, so one with capitals would match no event
 * (docs/internals/platform/ids-and-limits.md#chosen-ids).
 */
export const chosenId = () =>
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "must be an id: at most 100 of a-z, 0-9, - and _" }),
      z.toLowerCase(),
    );

export function noTwoAlike<Key extends string>(key: Key, what: string) {
  return ({ value, issues }: z.core.ParsePayload<Readonly<Record<Key, string>>[]>) => {
    const first = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const earlier = first.get(item[key]);
      if (earlier === undefined) first.set(item[key], index);
      else {
        const message = `${what} (number ${earlier + 1} of the list)`;
        issues.push({ code: "custom", input: item[key], path: [index, key], message });
      }
    }
  };
}

/**
 * The platform limits `data` to 10 KB for text, mark and metadata; 9,000 are known to arrive
 * (docs/internals/platform/ids-and-limits.md#size-of-messages).
 */
const maxSaidBytes = 9_000;

/** @param placeholders Names with their maximum size in bytes. Refuses other text in their form. */
export function saidText(placeholders: Readonly<Record<string, number>> = {}): z.ZodMiniType<string, string> {
  const known = Object.keys(placeholders).map((name) => `{${name}}`);
  const message =
    known.length === 0
      ? "there are no placeholders here"
      : `there is one placeholder only, ${known.join(", ")}`;
  const bytesOf = (text: string) =>
    Object.entries(placeholders).reduce(
      (sum, [name, bytes]) => sum + (text.split(`{${name}}`).length - 1) * bytes,
      Buffer.byteLength(JSON.stringify(text)),
    );
  return z.string().check(
    z.minLength(1),
    z.refine((text) => placeholdersIn(text).every((found) => known.includes(found)), { message }),
    z.refine((text) => bytesOf(text) <= maxSaidBytes, {
      message: `must have at most ${maxSaidBytes} bytes, what its placeholders become included`,
    }),
  );
}

/** Finds `{name}`, `{ names }`, `{{names}}`, `%{names}`. */
function placeholdersIn(text: string): readonly string[] {
  return text.match(/[$%#]?\{+\s*[\p{L}\p{N}_.-]*\s*\}+/gu) ?? [];
}

const durationForm = /^0*[1-9]\d{0,5} ?(s|min|h|d)$/;
const aDuration = "length of time above zero, like 30min, 1h or 2d";

/** Such as `90s`, `30min`, `1h` or `2d`. */
export const duration = () => z.string().check(z.regex(durationForm, { message: `must be a ${aDuration}` }));

export type DurationText = `${number}${"" | " "}${"s" | "min" | "h" | "d"}`;

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws RangeError if `duration` refuses it */
export function durationMs(text: string): number {
  const [, unit = ""] = durationForm.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined) throw new RangeError(`"${text}" is no ${aDuration}.`);
  return Number.parseInt(text, 10) * unitMs;
}
