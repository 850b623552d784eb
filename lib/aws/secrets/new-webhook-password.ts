const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Returns 40 letters and digits (238 bits). The platform accepts no other characters
 * (docs/internals/platform/management.md#webhooks).
 */
export function newWebhookPassword(): string {
  const { randomInt } = process.getBuiltinModule("node:crypto");
  return Array.from({ length: 40 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
