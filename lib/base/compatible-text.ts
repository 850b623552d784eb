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
