export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** Longer texts are cut. Default: 60. */
  readonly most?: number;
  readonly align?: "left" | "right";
}

/** Formats rows as lines under their titles. */
export function toTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly string[] {
  const cells = rows.map((row) =>
    columns.map(({ of, most = 60 }) => cut(of(row).replaceAll(/\s+/g, " "), most)),
  );
  const titles = columns.map(({ title }) => title);
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...cells.map((row) => [...(row[index] ?? "")].length)),
  );
  return [titles, ...cells].map((row) =>
    row
      .map((cell, index) => {
        const blanks = " ".repeat(Math.max(0, (widths[index] ?? 0) - [...cell].length));
        return columns[index]?.align === "right" ? blanks + cell : cell + blanks;
      })
      .join("  ")
      .trimEnd(),
  );
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
