const mask = "[redacted]";

/**
 * The platform's keys are 40 hexadecimal characters
 * (docs/internals/platform/addressing-and-keys.md#api-keys).
 */
const keyShaped = /[0-9a-f]{40,}/gi;

/**
 * Removes every given value in any spelling (plain, URL-encoded, form-encoded, JSON-escaped, base64 alone or
 * after a user name, any letter case), then everything in the form of a platform key.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  // Longest first: a secret may be the prefix of another.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret.length < 4) continue;
    for (const spelling of spellings(secret)) clean = replaceAllIgnoringCase(clean, spelling);
  }
  return clean.replace(keyShaped, mask);
}

function spellings(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const bytes = encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)));
  return [
    secret,
    encoded,
    `${new URLSearchParams([["", secret]])}`.slice(1),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 2, 3].flatMap((start, before) => {
      const whole = " ".repeat(before) + bytes;
      // The first and last letter may contain bits of the neighboring text.
      const text = btoa(whole).slice(start, (whole.length * 4) / 3);
      return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
    }),
  ];
}

/** A text too long for a regular expression is replaced only in its own case. */
function replaceAllIgnoringCase(text: string, part: string): string {
  return part.length > 9_999
    ? text.replaceAll(part, mask)
    : text.replace(new RegExp(part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi"), mask);
}
