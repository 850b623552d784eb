import { toCompatibleText } from "../../base/compatible-text.ts";

/** Also unifies compatible characters (ｆｕｌｌ, ﬁ) and removes invisible ones. */
export function normalise(text: string): string {
  return toCompatibleText(text.replace(invisible, "")).toLowerCase();
}

/** They would split a word. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Whole words or phrases; anywhere in scripts without spaces. Linear in the text. */
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

function partsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part !== "");
}
