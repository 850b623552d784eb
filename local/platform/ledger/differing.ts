import { readFileSync } from "node:fs";

/** An operation whose answer has other keys or types than the printed example, why, and in what it differs. */
export type DifferingAnswer = { id: string; reason: string; differences: readonly string[] };

/** Reads the list of answers that differ. @throws Error naming a line that is not of its form */
export function readDiffering(): DifferingAnswer[] {
  const rows: { id: string; reason: string; differences: string[] }[] = [];
  let reason = "";
  for (const line of readFileSync(new URL("differing.txt", import.meta.url), "utf8").split("\n")) {
    const [, indent = "", text = ""] = /^( *)(.*)$/.exec(line) ?? [];
    if (text === "" || text.startsWith("#")) continue;
    if (indent === "") reason = text;
    else if (indent.length === 2) rows.push({ id: text, reason, differences: [] });
    else {
      const row = rows.at(-1);
      if (row === undefined)
        throw new Error(`The list of differing answers has a line of no operation: ${line}`);
      row.differences.push(text);
    }
  }
  return rows;
}
