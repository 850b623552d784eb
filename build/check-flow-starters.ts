import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { onlyEntry } from "./check-trigger-names.ts";

/**
 * Which of these own triggers use a flow's definition, directly or by other files. To start a flow, a trigger
 * needs it.
 */
export async function findFlowStarters(
  projectFolder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const table = await readFile(join(projectFolder, "functions/own/triggers.ts"), "utf8").catch(() => "");
  const found = await Promise.all(
    names.map(async (name) => {
      const contents = onlyEntry(table, "ownTriggers", name);
      return contents !== undefined && usedFlows(await bundleOwn(contents, projectFolder)).length > 0
        ? [name]
        : [];
    }),
  );
  return found.flat();
}

/** Flows that triggers or other flows use and that are missing in the table, if it lists them by name. */
export async function checkFlowTable(projectFolder: string): Promise<readonly string[]> {
  const files = ["triggers", "flows"].filter((name) =>
    existsSync(join(projectFolder, `functions/own/${name}.ts`)),
  );
  const contents = files.map((name) => `export * from "./${name}.ts";`).join("\n");
  const code = await bundleOwn(contents, projectFolder);
  // Without the file, an app has no flows.
  const table = files.includes("flows") ? code : "var ownFlows = [];";
  const [, listed] = /^var ownFlows = \[([\w$,\s]*)\];/m.exec(table) ?? [];
  if (listed === undefined) return [];
  const registered = listed.split(",").map((one) => one.trim());
  return usedFlows(code)
    .filter(({ variable }) => !registered.includes(variable))
    .map(
      ({ file, name, variable }) =>
        `${file}: the flow "${name}" is started and not registered: add ${variable} to ownFlows in functions/own/flows.ts`,
    );
}

/** The definitions in a bundle that other code of it refers to. */
function usedFlows(code: string) {
  let statements = code.split(/\n(?=[a-z/])/);
  for (;;) {
    const found = statements.flatMap((statement, index) => {
      const [, variable, name] =
        /^(?:var|let|const) ([\w$]+) = defineFlow\d*\((?:\s*"([^"]*)")?/.exec(statement) ?? [];
      if (variable === undefined) return [];
      const reference = new RegExp(`(?<![\\w$.])${variable.replaceAll("$", "\\$")}(?![\\w$:])`);
      const isUsed = statements.some((other) => other !== statement && reference.test(withoutTexts(other)));
      const [, file = "functions/own"] =
        /^\/\/ (.*)/.exec(statements.findLast((one, at) => at < index && one.startsWith("// ")) ?? "") ?? [];
      return [{ statement, isUsed, variable, name: name ?? variable, file }];
    });
    const unused = found.filter(({ isUsed }) => !isUsed).map(({ statement }) => statement);
    if (unused.length === 0) return found;
    // What only an unused one refers to is unused as well.
    statements = statements.filter((statement) => !unused.includes(statement));
  }
}

function withoutTexts(code: string): string {
  return code.replaceAll(/"(?:[^"\\\n]|\\.)*"|^\/\/.*/g, "");
}

/** Empty if it cannot be built: check-own-code.ts reports that. */
async function bundleOwn(contents: string, projectFolder: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(projectFolder, "functions/own"), loader: "ts" },
    // Unused imports disappear; a project's own settings might keep them.
    tsconfigRaw: "{}",
    ...{ bundle: true, write: false, logLevel: "silent", absWorkingDir: projectFolder },
    ...{ plugins: [onlyOwn], packages: "external", platform: "node", format: "esm" },
  }).catch(() => ({ outputFiles: [] }));
  return outputFiles[0]?.text ?? "";
}

const onlyOwn: Plugin = {
  name: "only-own",
  setup: ({ onResolve }) => {
    const filter = /^\.\.?\/(.*\/)?(lib|functions\/triggers)\/|\/config\/.+\.yml(\.js)?$/;
    onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
};
