import type { Output } from "./output.ts";

/** Title, cell, and side or longest text (default: 60 characters). */
export type Column<Row> = readonly [
  title: string,
  cell: (row: Row) => string | number,
  form?: "right" | number,
];

export function printTable<Row>(
  out: Pick<Output, "line">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  indent = "",
): void {
  const shown = columns.map(([title, cell, form]) => {
    const most = typeof form === "number" ? form : 60;
    const cells = [title, ...rows.map((row) => cut(String(cell(row)).replaceAll(/\s+/g, " "), most))];
    const width = Math.max(...cells.map((text) => [...text].length));
    return cells.map((text) => {
      const blanks = " ".repeat(width - [...text].length);
      return form === "right" ? blanks + text : text + blanks;
    });
  });
  for (const index of [undefined, ...rows].keys()) {
    out.line(
      indent +
        shown
          .map((cells) => cells[index])
          .join("  ")
          .trimEnd(),
    );
  }
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
