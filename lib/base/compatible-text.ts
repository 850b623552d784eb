/**
 * Brings a text into the form in which texts are compared, Unicode's NFKC, in time that grows with its length. Marks on
 * one letter are sorted in the square of their number, and whoever writes a text chooses that number: those beyond 30 are
 * left out, which no script needs.
 * @see https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
export function toCompatibleText(text: string): string {
  return text.replace(surplusMarks, "$1").normalize("NFKC");
}

/** Halfwidth sound marks are letters, but become marks. */
const surplusMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;
