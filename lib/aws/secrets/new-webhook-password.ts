const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Makes 40 letters and digits, 238 bits; the platform takes nothing else (docs/platform/management.md#webhooks). */
export function newWebhookPassword(): string {
  const { randomInt } = process.getBuiltinModule("node:crypto");
  return Array.from({ length: 40 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
