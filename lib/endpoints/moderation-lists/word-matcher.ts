import { toCompatibleText } from "../../base/compatible-text.ts";

/**
 * Brings a text into the form in which texts are compared: compatible characters made one (ｆｕｌｌ, ﬁ), invisible ones
 * that could hide a word removed, lower case.
 */
export function normalise(text: string): string {
  return toCompatibleText(text.replace(invisible, "")).toLowerCase();
}

/** What joins, selects a letter's shape, or fills an empty place: nobody sees it, and it would part a word. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes a function that tells whether a normalised text contains any of the words or phrases, as whole words; in
 * scripts that put no spaces between words, anywhere. Takes time in proportion to the text, however many words there are.
 */
export function createWordMatcher(words: readonly string[]): (normalised: string) => boolean {
  const needles = words.map((word) => ({ word: normalise(word), parts: partsOf(normalise(word)) }));
  const anywhere = needles.filter(({ word, parts }) => unspacedScript.test(word) || parts.length === 0);
  const phrases = new Set(
    needles.filter((needle) => !anywhere.includes(needle)).map(({ parts }) => parts.join(" ")),
  );
  const lengths = [...new Set([...phrases].map((phrase) => phrase.split(" ").length))];

  return (text) => {
    const parts = partsOf(text);
    const startsPhrase = (_: string, start: number) =>
      lengths.some((length) => phrases.has(parts.slice(start, start + length).join(" ")));
    return parts.some(startsPhrase) || anywhere.some(({ word }) => text.includes(word));
  };
}

const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The words of a text, without what stands between them. */
function partsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part !== "");
}
