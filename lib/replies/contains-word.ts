import { toCompatibleText } from "../compatible-text.ts";

/** Scripts that put no spaces between words. */
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Tells whether a text contains a word or phrase in any case, as a whole word: "price" is not in "priceless".
 * In scripts that put no spaces between words it may stand anywhere.
 */
export function containsWord(text: string, word: string): boolean {
  const haystack = toCompatibleText(text);
  const needle = toCompatibleText(word);
  if (unspacedScript.test(needle)) return haystack.includes(needle);
  const literal = needle.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`, "iu").test(haystack);
}
