const mask = "[redacted]";

/** Shorter values protect nothing. */
const shortest = 4;
/** A shorter value may be part of ordinary words: it is hidden as a word of its own alone. */
const shortestInWords = 6;
/** Limit for rotated credentials of many apps in a long-lived process. The oldest are forgotten. */
const mostKept = 5_000;
/** JSON in JSON in a URL. */
const mostLevels = 3;

/**
 * The length of the longest spelling. A text that will be cut keeps this many more characters until secrets
 * are replaced.
 */
export const longestSpelling = 8_192;

const known = rememberer();

/** Hides a secret from logs, in each form that SECURITY.md lists. May be repeated. */
export const rememberSecret: (secret: string) => void = known.remember;

/** Replaces every secret that the process has read. */
export const hideSecrets: (text: string) => string = known.hide;

/** Returns a function that replaces the given secrets alone, in the same forms. */
export function hiderOf(secrets: Iterable<string>): (text: string) => string {
  const { remember, hide } = rememberer();
  for (const secret of secrets) remember(secret);
  return hide;
}

/** A text as it is compared, and where each of its characters begins in the original text. */
interface View {
  readonly text: string;
  readonly placeOf: (index: number) => number;
}

function rememberer() {
  const kept = new Set<string>();
  /** Secrets read since the last line. Computing spellings costs a cold start more than reading the secrets. */
  const unspelled = new Set<string>();
  /** By their first letters. */
  const spellings = new Map<string, Set<string>>();

  const spell = (secret: string, change: "add" | "delete") => {
    for (const spelling of spellingsOf(secret)) {
      const beginning = spelling.slice(0, shortest);
      const alike = spellings.get(beginning) ?? new Set();
      alike[change](spelling);
      spellings.set(beginning, alike);
    }
  };
  const findIn = ({ text, placeOf }: View, found: [from: number, to: number][]) => {
    for (let at = 0; at + shortest <= text.length; at += 1) {
      let end = at;
      for (const spelling of spellings.get(text.slice(at, at + shortest)) ?? []) {
        const after = at + spelling.length;
        if (after > end && text.startsWith(spelling, at) && isWhole(text, at, after)) end = after;
      }
      if (end > at) found.push([placeOf(at), placeOf(end)]);
    }
  };

  return {
    remember(secret: string): void {
      if (secret.length < shortest || kept.has(secret)) return;
      if (kept.size >= mostKept) {
        for (const oldest of [...kept].slice(0, 100)) {
          kept.delete(oldest);
          if (!unspelled.delete(oldest)) spell(oldest, "delete");
        }
      }
      kept.add(secret);
      unspelled.add(secret);
    },

    hide(text: string): string {
      if (kept.size === 0) return text;
      for (const secret of unspelled) spell(secret, "add");
      unspelled.clear();
      const found: [from: number, to: number][] = [];
      const views = new Map<string, View>();
      addViews(views, { text: fold(text), placeOf: (index) => index }, mostLevels);
      for (const view of views.values()) findIn(view, found);
      return replaceAt(text, found);
    },
  };
}

function isWhole(text: string, from: number, to: number): boolean {
  const isLetter = (at: number) => /[\p{L}\d]/u.test(text.charAt(at));
  return to - from >= shortestInWords || (!isLetter(from - 1) && !isLetter(to));
}

function replaceAt(text: string, found: [from: number, to: number][]): string {
  let clean = "";
  let end = 0;
  for (const [from, to] of found.sort(([one], [other]) => one - other)) {
    if (from >= end) clean += text.slice(end, from) + mask;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

/**
 * Returns what is equal in each letter case, in base64 and base64url, and in URLs and forms, of the same
 * length.
 */
function fold(text: string): string {
  // Of these two, one becomes longer, and one depends on its neighbors.
  const small = text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
  return small.replace(/[- ]/g, "+").replaceAll("_", "/");
}

/** Adds a text and what it becomes without escapes, of one kind at a time, because a secret may look like one. */
function addViews(views: Map<string, View>, view: View, levels: number): void {
  if (views.has(view.text)) return;
  views.set(view.text, view);
  for (const [pattern, letterOf] of levels > 0 ? escapes : []) {
    if (view.text.search(pattern) >= 0) addViews(views, withoutEscapes(view, pattern, letterOf), levels - 1);
  }
}

type LetterOf = (...found: readonly string[]) => string;

function withoutEscapes({ text, placeOf }: View, pattern: RegExp, letterOf: LetterOf): View {
  const places: number[] = [];
  let plain = "";
  let end = 0;
  const keep = (to: number) => {
    plain += text.slice(end, to);
    while (end < to) places.push(end++);
  };
  for (const found of text.matchAll(pattern)) {
    keep(found.index);
    const letter = letterOf(...found);
    plain += letter;
    for (const _ of letter.split("")) places.push(end);
    end += found[0].length;
  }
  keep(text.length);
  return { text: fold(plain), placeOf: (index) => placeOf(places[index] ?? text.length) };
}

const control: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const named: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", szlig: "ß" },
  ...{ grave: "\u0300", acute: "\u0301", circ: "\u0302", tilde: "\u0303", uml: "\u0308", cedil: "\u0327" },
};

/** Of URLs, of JSON and JavaScript, of HTML. */
const escapes: readonly (readonly [pattern: RegExp, letterOf: LetterOf])[] = [
  [
    /%u([\da-f]{4})|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|%([\da-f]{2})/g,
    (found, unit, byte) => {
      try {
        return decodeURIComponent(found);
      } catch {
        return fromHex(unit ?? byte, found); // written by the old function `escape`
      }
    },
  ],
  [
    /\\u([\da-f]{4})|\\x([\da-f]{2})|\\(.)/gs,
    (found, unit, byte, letter) => (letter && (control[letter] ?? letter)) ?? fromHex(unit ?? byte, found),
  ],
  [
    /&#x([\da-f]{1,5});|&#(\d{1,6});|&([a-z])?([a-z]{2,5});/g,
    (found, hex, decimal, letter = "", name = "") =>
      named[letter + name] ??
      (named[name] && (letter + named[name]).normalize()) ??
      fromHex(hex ?? Number(decimal).toString(16), found),
  ],
];

function fromHex(hex: string | undefined, otherwise: string): string {
  const point = Number(`0x${hex}`);
  return Number.isNaN(point) ? otherwise : String.fromCodePoint(point);
}

function spellingsOf(secret: string): ReadonlySet<string> {
  const utf8 = encodeURIComponent(secret.toWellFormed()).replace(/%(..)/g, (_, hex) =>
    String.fromCharCode(Number(`0x${hex}`)),
  );
  const hex = utf8.replace(/./gs, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"));
  const base64 = [0, 2, 3].map((start, before) => {
    const whole = " ".repeat(before) + utf8;
    // The first and last letter may contain bits of the neighboring text.
    return btoa(whole).slice(start, (whole.length * 4) / 3);
  });
  return new Set([
    ...[secret, secret.toUpperCase(), secret.toLowerCase()].map(fold),
    ...[hex, ...base64].map(fold).filter(({ length }) => length >= shortestInWords),
  ]);
}
