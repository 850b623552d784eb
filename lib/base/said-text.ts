import * as z from "zod/mini";

/**
 * A message's `data` has at most 10 KB, in which text, mark and metadata have to stand; 9,000 characters are known to arrive
 * (docs/platform/ids-and-limits.md#size-of-messages).
 */
export const maxSaidBytes = 9_000;

/**
 * Makes the schema of a text that people write in config/ and the functions send.
 * @param placeholders What stands for something, such as `names`, with how many bytes it may become. Whatever else looks like a
 *   placeholder would be said as it stands, and is refused.
 */
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

/** What looks like one: `{name}`, `{ names }`, `{{names}}`, `%{names}`. */
function placeholdersIn(text: string): readonly string[] {
  return text.match(/[$%#]?\{+\s*[\p{L}\p{N}_.-]*\s*\}+/gu) ?? [];
}
