// Pages with generated tables: between `<!-- made: name -->` and `<!-- end -->`.

/** Puts generated tables into a page's places; returns the new page. @throws if the page lacks the place */
export function fillPage(page: string, made: Readonly<Record<string, string>>): string {
  return Object.entries(made).reduce((text, [name, content]) => {
    const begin = `<!-- made: ${name} -->`;
    const [from, to] = [text.indexOf(begin), text.indexOf("<!-- end -->", text.indexOf(begin))];
    if (from < 0 || to < 0) throw new Error(`The page has no place for "${name}".`);
    return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
  }, page);
}

/**
 * Returns whether two pages are equivalent: words equal, numbers at most that share apart, or 0.02. Counts of
 * the real code in virtual time change a little with every change, as random values differ.
 */
export function agrees(one: string, other: string, share: number): boolean {
  const numbers = /\d[\d,]*(?:\.\d+)?/g;
  const [valuesOfOne, valuesOfOther] = [one, other].map((text) =>
    (text.match(numbers) ?? []).map((digits) => Number(digits.replaceAll(",", ""))),
  );
  if (one.replace(numbers, "0") !== other.replace(numbers, "0")) return false;
  return (valuesOfOne ?? []).every((value, index) => {
    const apart = Math.abs(value - (valuesOfOther?.[index] ?? Number.NaN));
    return apart <= Math.max(0.02, share * Math.abs(value));
  });
}

/** Writes a Markdown table; the first column is text, the others are numbers. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = `|${head.map((_, index) => (index < texts ? "---" : "---:")).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

export function count(value: number, digits = 0): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
