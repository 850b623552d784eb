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

/** These write no spaces between words. Unicode counts ー to no script. */
export const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Korean writes spaces between words, but none between a foreign word and its particle. */
const hangul = "\\p{Script=Hangul}";
const hangulLetter = new RegExp(hangul, "u");
const letter = "[\\p{L}\\p{M}\\p{N}]";
/** Subtracting classes, with the flag `v`, takes three times as long to compile. */
const spacedLetter = `(?!${hangul}|${unspacedScript.source})${letter}`;

/** Splits at signs, and where the script changes. */
export function wordParts(text: string): readonly string[] {
  return text.match(wordPart) ?? [];
}

const wordPart = new RegExp(
  `(?:${spacedLetter})+|${hangul}+|(?:(?=${unspacedScript.source})${letter})+`,
  "gu",
);

/**
 * Whole words and phrases in any case: "price" is not in "priceless". In scripts without spaces, anywhere.
 */
export function containsWord(text: string, word: string): boolean {
  const haystack = toCompatibleText(text);
  const needle = toCompatibleText(word);
  if (unspacedScript.test(needle)) return haystack.includes(needle);
  // An expression takes a hundred times as long, and ten thousand flows may each wait for a word.
  if (!foldedText(haystack).includes(fold(needle))) return false;
  return wholeWord(needle).test(haystack);
}

/**
 * Matches where no letter or digit touches the word, except those of scripts without spaces, and Korean ones
 * beside others.
 */
export function wholeWord(word: string): RegExp {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<!${continues(word.at(0))})${literal}(?!${continues(word.at(-1))})`, "iu");
}

function continues(end = "") {
  return hangulLetter.test(end) ? hangul : spacedLetter;
}

function fold(text: string) {
  return text.toLowerCase().toUpperCase();
}

let latest = { text: "", folded: "" };

function foldedText(text: string) {
  if (latest.text !== text) latest = { text, folded: fold(text) };
  return latest.folded;
}
