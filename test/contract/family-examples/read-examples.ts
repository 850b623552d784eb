import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
export const root = join(folder, "..", "..", "..");

/** Reads the example of each family from the functions that are run, by the family's name. */
export function readExamples(): ReadonlyMap<string, string> {
  const sources = globSync("*.ts", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
  return new Map(
    sources.flatMap((source) =>
      [
        ...source.matchAll(
          /^export async function (\w+)\(.*\) \{\n {2}\/\/ example\n([\s\S]*?)^ {2}\/\/ end$/gm,
        ),
      ].map(([, family = "", code = ""]) => [family, code.replace(/^ {2}/gm, "").trimEnd()] as const),
    ),
  );
}

/** Where a family is declared, and its docstring as it is and as it has to be with the example. */
export interface Docstring {
  readonly family: string;
  readonly path: string;
  readonly is: string;
  readonly wanted: string;
}

/** Finds the docstring of each family that has an example. */
export function readDocstrings(): readonly Docstring[] {
  const examples = readExamples();
  return globSync("lib/chat/{campaigns,management,notifications,resources}/*.ts", { cwd: root }).flatMap(
    (path) => {
      const source = readFileSync(join(root, path), "utf8");
      return [...source.matchAll(declaration)].flatMap(([is, text = "", head = "", name = ""]) => {
        // The settings of extensions have an interface, the other families a table of operations.
        const family = name.replace(
          /^(\w)(\w*)Calls$/,
          (_, first: string, rest: string) => first.toLowerCase() + rest,
        );
        const code = examples.get(family);
        return code === undefined
          ? []
          : [{ family, path, is, wanted: `${withExample(text, code)}\n${head}` }];
      });
    },
  );
}

const declaration = /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n(export (?:const|interface) (\w+) (?:= )?\{)/gm;

function withExample(docstring: string, code: string): string {
  const words = docstring
    .replace(/^\/\*\*(?: |\n)/, "")
    .replace(/\s*\*\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^ \* ?/, ""))
    .join("\n")
    .split("\n@example")[0];
  const lines = [...(words ?? "").trim().split("\n"), "@example", ...code.split("\n")];
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`;
}
