import { OwnError } from "../../base/own-error.ts";

/** Names the line, quotes nothing. */
export class InvalidCsvError extends OwnError {
  override readonly name = "InvalidCsvError";
}

/**
 * RFC 4180; the first line names the columns. Skips empty lines and empty fields.
 * @throws InvalidCsvError
 */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = readRows(text.replace(/^\ufeff/, ""));
  if (new Set(names).size !== names.length || names.includes("")) {
    throw new InvalidCsvError("The first line must name each column once.");
  }
  return rows.map((fields, index) => {
    if (fields.length === names.length) {
      return Object.fromEntries(
        names.map((name, at) => [name, fields[at] ?? ""]).filter(([, field]) => field !== ""),
      );
    }
    throw new InvalidCsvError(`Row ${index + 1} has ${fields.length} fields instead of ${names.length}.`);
  });
}

/** With its terminator. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < text.length || row.length > 0) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (found === null) throw new InvalidCsvError(`Row ${rows.length} has a quote where none can be.`);
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "" || quoted !== undefined) rows.push(row);
    row = [];
    if (field.lastIndex === at) break; // the text's end
  }
  return rows;
}
