import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { isRecord } from "../lib/base/json.ts";
import { entryOf } from "./bundle-functions.ts";
import { onlyEntry } from "./check-trigger-names.ts";
import { readYaml } from "./config-text.ts";

/** Which of these own triggers start a flow: their code uses a flow's definition, directly or by other files. */
export async function findFlowStarters(
  projectFolder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const table = await readFile(join(projectFolder, "functions/own/triggers.ts"), "utf8").catch(() => "");
  const found = await Promise.all(
    names.map(async (name) => {
      const contents = onlyEntry(table, "ownTriggers", name);
      const flows = contents === undefined ? [] : flowsIn(await bundleOwn(contents, projectFolder));
      return flows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

const tableFile = "functions/own/flows.ts";

/**
 * Lists flows that triggers, own functions or other flows use and that are missing in the table. Knows names
 * that are written as texts, and a table that is written as a list of variables.
 */
export async function checkFlowTable(projectFolder: string): Promise<readonly string[]> {
  const table = existsSync(join(projectFolder, tableFile))
    ? 'export { ownFlows } from "./flows.ts";'
    : "export const ownFlows = [];";
  const entries = [table, ...(await startersIn(projectFolder))];
  const bundles = await Promise.all(entries.map((contents) => bundleOwn(contents, projectFolder)));
  const [, list] = /^var ownFlows = \[([\w$,\s]*)\];$/m.exec(bundles[0] ?? "") ?? [];
  if (list === undefined) return [];
  const listed = new Set<string | undefined>(list.split(",").map((variable) => variable.trim()));
  const [ofTable = [], ...ofStarters] = bundles.map(flowsIn);
  const registered = new Set(ofTable.filter(({ variable }) => listed.has(variable)).map(({ name }) => name));
  const mistakes = [ofTable, ...ofStarters].flat().flatMap(({ file, name, variable = "it" }) => {
    if (name === undefined || registered.has(name)) return [];
    return `${file}: the flow "${name}" is started and not registered: add ${variable} to ownFlows in ${tableFile}`;
  });
  return [...new Set(mistakes)];
}

/** Imports the handlers of own functions, and the triggers. */
async function startersIn(projectFolder: string): Promise<readonly string[]> {
  const own = await readFile(join(projectFolder, "functions/own/functions.yml"), "utf8").catch(() => "");
  const { content } = readYaml("functions/own/functions.yml", own, { tags: true });
  const handlers = Object.values(isRecord(content) ? content : {}).flatMap((definition) => {
    const handler = isRecord(definition) ? String(definition.handler) : "";
    const file = entryOf(projectFolder, handler);
    const name = extname(handler).slice(1);
    return file === undefined ? [] : `export { ${name} } from ${JSON.stringify(join(projectFolder, file))};`;
  });
  return ['export { ownTriggers } from "./triggers.ts";', ...handlers];
}

interface OwnFlow {
  readonly file: string;
  /** Undefined unless it is written as a text. */
  readonly name: string | undefined;
  /** Undefined for a flow that no variable of its own holds. */
  readonly variable: string | undefined;
}

/** Of a bundle, those that the entry or other statements of the bundle use. */
function flowsIn(code: string): readonly OwnFlow[] {
  // As esbuild writes them: what begins a line begins a statement, unless it closes one.
  const statements = code.split(/\n(?=[^\s})\]])/);
  let file = "functions/own";
  return statements.flatMap((text) => {
    [, file = file] = /^\/\/ (.*)/.exec(text) ?? [];
    const [, holder = ""] = /^(?:var|let|const|class|(?:async )?function) ([\w$]+)/.exec(text) ?? [];
    const mention = new RegExp(`(?<![\\w$."])${holder.replaceAll("$", "\\$")}(?![\\w$"])`);
    if (holder !== "" && !statements.some((other) => other !== text && mention.test(other))) return [];
    const found = text.matchAll(/(?<variable>^var [\w$]+ = \S*)?\bdefineFlow\d*\((?:"(?<name>[^"]*)")?/g);
    return [...found].map(({ groups = {} }) => ({
      file,
      name: groups.name,
      variable: groups.variable === undefined ? undefined : holder,
    }));
  });
}

/** Empty if it cannot be built: check-own-code.ts reports that. */
async function bundleOwn(contents: string, projectFolder: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(projectFolder, "functions/own"), loader: "ts" },
    // Unused imports disappear; a project's own settings might keep them.
    tsconfigRaw: "{}",
    ...{ bundle: true, write: false, logLevel: "silent", absWorkingDir: projectFolder },
    ...{ plugins: [onlyOwn], packages: "external", platform: "node", format: "esm" },
    // Lines of a text would look like statements.
    ...{ legalComments: "none", supported: { "template-literal": false } },
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
