const leastLength = 12;
export const noneShown = "••••";

/** The last four characters of a secret of at least twelve; nothing of a shorter one. */
export function maskSecret(secret: string, shownCharacters = 4): string {
  return secret.length < leastLength ? noneShown : noneShown + secret.slice(-shownCharacters);
}
