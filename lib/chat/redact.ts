const mask = "[redacted]";

/**
 * Whatever looks like a key is taken for one: the platform's keys are 40 hexadecimal characters
 * (docs/platform/addressing-and-keys.md#api-keys).
 */
const keyShaped = /[0-9a-f]{40,}/gi;

/**
 * Takes credentials out of a text from outside: every given value in the spellings it may come back in (plain,
 * URL-encoded, as a form's field, JSON-escaped, base64 alone or behind a user name, any letter case), then whatever looks like a
 * platform key.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  // One may begin another: what is left of the longer one would be shown.
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
      // Its first and last letter may hold bits of what stands around it.
      const text = btoa(whole).slice(start, (whole.length * 4) / 3);
      return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
    }),
  ];
}

/** What is longer than an expression can be is found in its own letter case only. */
function replaceAllIgnoringCase(text: string, part: string): string {
  return part.length > 9_999
    ? text.replaceAll(part, mask)
    : text.replace(new RegExp(part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi"), mask);
}
