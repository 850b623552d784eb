import { toCompatibleText } from "../../base/compatible-text.ts";

const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Matches whole words and phrases in any case: "price" is not in "priceless". In scripts without spaces, any
 * position counts.
 */
export function containsWord(text: string, word: string): boolean {
  const haystack = toCompatibleText(text);
  const needle = toCompatibleText(word);
  if (unspacedScript.test(needle)) return haystack.includes(needle);
  // An expression takes a hundred times as long, and ten thousand flows may each wait for a word.
  if (!foldedText(haystack).includes(fold(needle))) return false;
  const literal = needle.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`, "iu").test(haystack);
}

function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

let latest = { text: "", folded: "" };

function foldedText(text: string): string {
  if (latest.text !== text) latest = { text, folded: fold(text) };
  return latest.folded;
}
