/**
 * Normalizes to NFKC in linear time. Sorting a letter's marks takes quadratic time, so marks beyond 30 are
 * dropped; no script needs more.
 * @see https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
export function toCompatibleText(text: string): string {
  return text.replace(surplusMarks, "$1").normalize("NFKC");
}

/** Halfwidth sound marks are letters that NFKC turns into marks. */
const surplusMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/** These write no spaces between words. */
export const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

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
  return wholeWord(needle).test(haystack);
}

/** Matches the word where no letter or digit touches it. Its signs stand for themselves. */
export function wholeWord(word: string): RegExp {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`, "iu");
}

function fold(text: string) {
  return text.toLowerCase().toUpperCase();
}

let latest = { text: "", folded: "" };

function foldedText(text: string) {
  if (latest.text !== text) latest = { text, folded: fold(text) };
  return latest.folded;
}
