const mask = "[redacted]";

/** Shorter values occur in ordinary words. */
const shortest = 4;
/** For rotated credentials of many apps in a long-lived process; the oldest are forgotten. */
const mostKept = 5_000;

/** Spellings of each secret, by their first letters. */
const byBeginning = new Map<string, Set<string>>();
const kept = new Set<string>();
/** Secrets read since the last line: spelling them costs a cold start more than reading them. */
const unspelled = new Set<string>();

/** In plain, JSON, URL and Base64 spelling. May be repeated. */
export function rememberSecret(secret: string): void {
  if (secret.length < shortest || kept.has(secret)) return;
  if (kept.size >= mostKept) for (const oldest of [...kept].slice(0, 100)) forget(oldest);
  kept.add(secret);
  unspelled.add(secret);
}

export function hideSecrets(text: string): string {
  if (kept.size === 0) return text;
  if (unspelled.size > 0) spell();
  let clean = "";
  let from = 0;
  for (let at = 0; at + shortest <= text.length; at += 1) {
    const length = lengthAt(text, at);
    if (length === 0) continue;
    clean += text.slice(from, at) + mask;
    from = at + length;
    at = from - 1;
  }
  return from === 0 ? text : clean + text.slice(from);
}

/** A text that will be cut keeps this many more characters until secrets are replaced. */
export const longestSpelling = 8_192;

function spell(): void {
  for (const secret of unspelled) {
    for (const spelling of spellingsOf(secret)) {
      const beginning = spelling.slice(0, shortest);
      byBeginning.set(beginning, (byBeginning.get(beginning) ?? new Set()).add(spelling));
    }
  }
  unspelled.clear();
}

function lengthAt(text: string, at: number): number {
  let longest = 0;
  for (const spelling of byBeginning.get(text.slice(at, at + shortest)) ?? []) {
    if (spelling.length > longest && text.startsWith(spelling, at)) longest = spelling.length;
  }
  return longest;
}

function spellingsOf(secret: string): ReadonlySet<string> {
  const encoded = Buffer.from(secret, "utf8").toString("base64").replace(/=+$/, "");
  const json = JSON.stringify(secret).slice(1, -1);
  const spellings = [secret, json, encodeURIComponent(secret.toWellFormed()), encoded];
  return new Set(spellings.filter(({ length }) => length >= shortest && length <= longestSpelling));
}

function forget(secret: string): void {
  kept.delete(secret);
  unspelled.delete(secret);
  for (const spelling of spellingsOf(secret)) byBeginning.get(spelling.slice(0, shortest))?.delete(spelling);
}
