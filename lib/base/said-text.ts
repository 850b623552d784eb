import * as z from "zod/mini";

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
