import { createHash } from "node:crypto";

const shownCharacters = 4;
const leastLength = 12;

/** Shows the last four characters of a secret of at least twelve, and nothing of a shorter one. */
export function maskSecret(secret: string): string {
  return secret.length < leastLength ? "••••" : `••••${secret.slice(-shownCharacters)}`;
}

/** Returns an id for a secret that reveals nothing of its value. */
export function idOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}
