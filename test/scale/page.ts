import { readFileSync } from "node:fs";

// Pages whose tables are made: between `<!-- made: name -->` and `<!-- end -->`.

/** Puts what was made into a page's places; gives the new page. @throws where the page has no such place */
export function fillPage(page: string, made: Readonly<Record<string, string>>): string {
  return Object.entries(made).reduce((text, [name, content]) => {
    const begin = `<!-- made: ${name} -->`;
    const [from, to] = [text.indexOf(begin), text.indexOf("<!-- end -->", text.indexOf(begin))];
    if (from < 0 || to < 0) throw new Error(`The page has no place for "${name}".`);
    return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
  }, page);
}

export function readPage(name: string): string {
  return readFileSync(pageUrl(name), "utf8");
}

export function pageUrl(name: string): URL {
  return new URL(`../../docs/${name}`, import.meta.url);
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
