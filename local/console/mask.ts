import { createHash } from "node:crypto";

const leastLength = 12;
export const noneShown = "••••";

/** The last four characters of a secret of at least twelve; nothing of a shorter one. */
export function maskSecret(secret: string, shownCharacters = 4): string {
  return secret.length < leastLength ? noneShown : noneShown + secret.slice(-shownCharacters);
}

/** Reveals nothing of the secret. */
export function idOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}
