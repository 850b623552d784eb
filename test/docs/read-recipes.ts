import { readdirSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../helpers/project-copy.ts";

const root = join(import.meta.dirname, "../..");

/** One page of docs/recipes: its files, by path. */
export interface Recipe {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Reads every recipe. */
export function readRecipes(): readonly Recipe[] {
  return readdirSync(join(root, "docs/recipes"))
    .filter((page) => page !== "README.md")
    .map((page) => ({ name: page.replace(/\.md$/, ""), files: blocksOf(`docs/recipes/${page}`) }));
}

/** Files in which each recipe has lines of its own: tables of what there is. */
const tables = ["functions/own/triggers.ts", "functions/own/flows.ts", "functions/own/config-schemas.ts"];

/** Puts all recipes' files together: what a team has that follows every one of them. @throws Error for a file that two have */
export function joinRecipes(recipes: readonly Recipe[]): Readonly<Record<string, string>> {
  const joined = new Map<string, string>();
  for (const [path, text] of recipes.flatMap(({ files }) => Object.entries(files))) {
    const known = joined.get(path);
    if (known !== undefined && !tables.includes(path)) throw new Error(`Two recipes have ${path}.`);
    joined.set(path, known === undefined ? text : joinTables(known, text));
  }
  return Object.fromEntries(joined);
}

/** A table is some imports, and what stands between the brackets of its last statement. */
function joinTables(one: string, other: string): string {
  const [first, second] = [readTable(one), readTable(other)];
  const imports = [...new Set([...first.imports, ...second.imports])].join("\n");
  return `${imports}\n\n${first.opening}${first.content}, ${second.content}${first.closing}\n`;
}

function readTable(text: string) {
  const [, opening = "", content = "", closing = ""] =
    /^(export const [^=]+ = [[{])([\s\S]*?),?\s*([\]}];)\s*$/m.exec(text) ?? [];
  return { imports: text.match(/^import .*;$/gm) ?? [], opening, content, closing };
}
