export const mask = "[redacted]";

/** Shorter values protect nothing. */
const shortest = 4;
/** A shorter value is hidden only as a whole word. */
const shortestInWords = 6;
/** For rotated credentials of many apps; the oldest are forgotten. */
const mostKept = 5_000;
/** Such as JSON in JSON in a URL. */
const mostLevels = 3;

/** A text keeps this many characters behind its cut until secrets are replaced. */
const longestSpelling = 8_192;

const known = rememberer();

/** Hides a secret in each form that SECURITY.md lists. */
export const rememberSecret: (secret: string) => void = known.remember;

export const hideSecrets: (text: string) => string = known.hide;

/** AWS's keys are longer; a shorter placeholder, as of a local stack, is not a secret. */
const shortestAwsKey = 16;

export function rememberAwsKeys(...keys: readonly (string | undefined)[]): void {
  for (const key of keys) if (key !== undefined && key.length >= shortestAwsKey) rememberSecret(key);
}

/**
 * Replaces secrets first: half a secret would not be recognized. At the end of a very long text, also drops
 * what may be the start of one.
 */
export function hideAndCut(text: string, longest: number): string {
  const begin = text.slice(0, longest + longestSpelling);
  const hidden = hideSecrets(begin);
  const sure = begin === text ? hidden : hidden.slice(0, Math.max(0, hidden.length - longestSpelling));
  return text.length > longest ? sure.slice(0, longest) : sure;
}

export function hiderOf(secrets: Iterable<string>): (text: string) => string {
  const { remember, hide } = rememberer();
  for (const secret of secrets) remember(secret);
  return hide;
}

function rememberer() {
  const kept = new Set<string>();
  /** Secrets read since the last line. Computing their forms costs a cold start more than reading them. */
  const unspelled = new Set<string>();
  /** Forms by their first letters. */
  const spellings = new Map<string, Set<string>>();

  const spell = (secret: string, change: "add" | "delete") => {
    for (const spelling of spellingsOf(secret)) {
      const beginning = spelling.slice(0, shortest);
      const alike = spellings.get(beginning) ?? new Set();
      alike[change](spelling);
      spellings.set(beginning, alike);
    }
  };

  return {
    remember(secret: string): void {
      if (secret.length < shortest || kept.has(secret)) return;
      kept.add(secret);
      unspelled.add(secret);
      if (kept.size <= mostKept) return;
      const [oldest = ""] = kept;
      kept.delete(oldest);
      if (!unspelled.delete(oldest)) spell(oldest, "delete");
    },

    hide(text: string): string {
      if (kept.size === 0) return text;
      for (const secret of unspelled) spell(secret, "add");
      unspelled.clear();
      const hidden = new Uint8Array(text.length);
      const seen = new Set<string>();
      /** @param placeOf where a letter begins in the original text */
      const search = (raw: string, levels: number, placeOf: (index: number) => number): void => {
        const view = fold(raw);
        if (seen.has(view)) return;
        seen.add(view);
        for (let at = 0; at < view.length; at += 1) {
          const end = endOf(spellings.get(view.slice(at, at + shortest)) ?? [], view, at);
          if (end > at) hidden.fill(1, placeOf(at), placeOf(end));
        }
        for (const [pattern, letterOf] of levels > 0 ? escapes : []) {
          if (view.search(pattern) < 0) continue;
          const [plain, places] = readEscapes(view, pattern, letterOf);
          search(plain, levels - 1, (index) => placeOf(places[index] ?? 0));
        }
      };
      search(text, mostLevels, (index) => index);
      if (!hidden.includes(1)) return text;
      return text.replace(/./gs, (letter, at) => (hidden[at] ? (hidden[at - 1] ? "" : mask) : letter));
    },
  };
}

/** Returns where the longest form at this place ends, or the place. */
function endOf(spellings: Iterable<string>, text: string, at: number): number {
  let end = at;
  for (const spelling of spellings) {
    const after = at + spelling.length;
    if (after > end && text.startsWith(spelling, at) && isWhole(text, at, after)) end = after;
  }
  return end;
}

/** Reads one kind of escape at a time: a secret may look like an escape of another. */
function readEscapes(text: string, pattern: RegExp, letterOf: LetterOf) {
  const places = new Uint32Array(text.length + 1);
  let plain = "";
  let end = 0;
  const copyUntil = (index: number) => {
    const from = plain.length - end;
    plain += text.slice(end, index);
    for (; end < index; end += 1) places[from + end] = end;
  };
  for (const { index, 0: found, 1: code, 2: name } of text.matchAll(pattern)) {
    copyUntil(index);
    places[plain.length] = index;
    plain += letterOf(found, code, name);
    end = index + found.length;
  }
  copyUntil(text.length);
  places[plain.length] = end;
  return [plain, places] as const;
}

/** Returns false for a short part of a longer word. */
function isWhole(text: string, from: number, to: number): boolean {
  return to - from >= shortestInWords || !/[\p{L}\d]/u.test(text.charAt(from - 1) + text.charAt(to));
}

/**
 * Returns a text that is equal in each letter case, in base64 and base64url, and in URLs and forms, of the
 * same length.
 */
function fold(text: string): string {
  // Of these two letters, one becomes longer, and one depends on its neighbors.
  const small = text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
  return small.replace(/[- ]/g, "+").replaceAll("_", "/");
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

type LetterOf = (found: string, ...groups: readonly (string | undefined)[]) => string;

/** Of URLs, JSON and HTML. */
const escapes: readonly (readonly [pattern: RegExp, letterOf: LetterOf])[] = [
  [
    /%(?:[c-f][\da-f](?:%[89ab][\da-f]){1,3}|[0-7][\da-f])/g,
    (found) => orElse(found, () => decodeURIComponent(found)),
  ],
  [/\\(?:u[\da-f]{4}|.)/gs, (found) => orElse(found.slice(1), () => JSON.parse(`"${found}"`))],
  [
    /&(?:#(x?[\da-f]{1,6})|([a-z]{2,4}));/g,
    (found, code, name = "") =>
      named[name] ?? orElse(found, () => String.fromCodePoint(Number(code?.replace("x", "0x")))),
  ],
];

function orElse(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function spellingsOf(secret: string): ReadonlySet<string> {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = [0, 2, 3].map((start, before) => {
    const whole = " ".repeat(before) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    // The first and last letter may contain bits of the neighboring text.
    return btoa(whole).slice(start, (whole.length * 4) / 3);
  });
  return new Set([
    ...[secret, secret.toUpperCase(), secret.toLowerCase()].map(fold),
    ...[hex, ...base64].map(fold).filter(({ length }) => length >= shortestInWords),
  ]);
}

/** @see docs/internals/platform/addressing-and-keys.md#api-keys */
const keyShaped = /[0-9a-f]{40,}/gi;

/** Also removes everything in the form of a platform key. */
export function redact(text: string, secrets: Iterable<string>): string {
  return hiderOf(secrets)(text).replace(keyShaped, mask);
}
