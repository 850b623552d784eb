const mask = "[redacted]";

/**
 * Whatever looks like a key is taken for one: the platform's keys are 40 hexadecimal characters
 * (docs/platform/addressing-and-keys.md#api-keys).
 */
const keyShaped = /[0-9a-f]{40,}/gi;

/**
 * Takes credentials out of a text from outside: every given value in the spellings it may come back in (plain,
 * URL-encoded, JSON-escaped, base64, any letter case), then whatever looks like a platform key.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const spelling of spellings(secret)) clean = replaceAllIgnoringCase(clean, spelling);
  }
  return clean.replace(keyShaped, mask);
}

function spellings(secret: string): Set<string> {
  return new Set([
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret, "utf8").toString("base64"),
  ]);
}

function replaceAllIgnoringCase(text: string, part: string): string {
  return text.replace(new RegExp(part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi"), mask);
}
