import { createHash } from "node:crypto";

const shownCharacters = 4;
const leastLength = 12;

/** The last four characters of a secret of at least twelve; nothing of a shorter one. */
export function maskSecret(secret: string): string {
  return secret.length < leastLength ? "••••" : `••••${secret.slice(-shownCharacters)}`;
}

/** Reveals nothing of the secret. */
export function idOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}
