import { lazy } from "../../base/lazy.ts";
import {
  toCompatibleText,
  unspacedScript,
  wholeWord,
  wordParts,
} from "../../events/conditions/contains-word.ts";

/** Unifies characters (ｆｕｌｌ, ﬁ), removes invisible ones. */
export function normalise(text: string): string {
  return toCompatibleText(text.replace(invisible, "").replace(sentences, " ")).toLowerCase();
}

/** NFKC turns one into 18. */
const sentences = /[\uFDFA\uFDFB]/g;

/** They would split a word. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export interface SplitText {
  readonly text: string;
  readonly parts: readonly string[];
}

/** @param most characters, from the end */
export function splitText(raw: string, most = Number.POSITIVE_INFINITY): SplitText {
  const text = normalise(raw.slice(-most)).slice(-most);
  return { text, parts: wordParts(text) };
}

/**
 * Whole words or phrases; anywhere in scripts without spaces. Signs such as "$" are part of a word: "a$$"
 * would be "a". Linear in the text.
 */
export function createWordMatcher(words: readonly string[]): (split: SplitText) => boolean {
  const needles = words.map((word) => normalise(word).trim());
  const anywhere = needles.filter((word) => unspacedScript.test(word) || wordParts(word).length === 0);
  const rest = needles.filter((word) => !anywhere.includes(word));
  const phrases = new Set(rest.filter(isPlain).map((word) => wordParts(word).join(" ")));
  const lengths = [...new Set([...phrases].map((phrase) => phrase.split(" ").length))];
  const firstParts = new Set([...phrases].map((phrase) => phrase.split(" ")[0]));
  const signed = rest
    .filter((word) => !isPlain(word))
    .map((word) => ({ word, whole: lazy(() => wholeWord(word)) }));

  return ({ text, parts }) => {
    const startsPhrase = (part: string, start: number) =>
      firstParts.has(part) &&
      lengths.some((length) => phrases.has(parts.slice(start, start + length).join(" ")));
    return (
      parts.some(startsPhrase) ||
      anywhere.some((word) => text.includes(word)) ||
      // An expression takes longer.
      signed.some(({ word, whole }) => text.includes(word) && whole().test(text))
    );
  };
}

/** Letters and digits, with only spaces, hyphens and apostrophes between them. */
function isPlain(word: string) {
  return /^[\p{L}\p{M}\p{N}]+(?:[\s'’\p{Pd}]+[\p{L}\p{M}\p{N}]+)*$/u.test(word);
}
