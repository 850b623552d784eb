import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { isRecord } from "../lib/base/json.ts";
import { entryOf } from "./bundle-functions.ts";
import { onlyEntry } from "./check-trigger-names.ts";
import { readYaml } from "./config-text.ts";
import { evaluateOwn, type FoundFlow, isFlow } from "./evaluate-own.ts";

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
      return contents !== undefined && readFlows(await bundleOwn(contents, projectFolder)).flows.length > 0
        ? [name]
        : [];
    }),
  );
  return found.flat();
}

/**
 * Flows that triggers, own functions or other flows use and that are missing in the table, as far as can be
 * known.
 */
export async function checkFlowTable(projectFolder: string): Promise<readonly string[]> {
  const hasFlows = existsSync(join(projectFolder, "functions/own/flows.ts"));
  const table = hasFlows ? 'export * from "./flows.ts";' : "export const ownFlows = [];";
  const starters = await startersIn(projectFolder);
  const mistakes = (starters.length > 0 ? starters : ["./flows.ts"]).map(async (starter) => {
    const contents = `${table}\nexport * from ${JSON.stringify(starter)};`;
    const { flows, registered } = readFlows(await bundleOwn(contents, projectFolder));
    return flows
      .filter(({ flow }) => registered?.some(({ name }) => name === flow.name) === false)
      .map(({ file, flow: { name }, place }) => {
        const shown = typeof name === "string" ? name : place;
        return `${file}: the flow "${shown}" is started and not registered: add ${place} to ownFlows in functions/own/flows.ts`;
      });
  });
  return [...new Set((await Promise.all(mistakes)).flat())];
}

/** Files of triggers and own functions. */
async function startersIn(projectFolder: string): Promise<readonly string[]> {
  const own = await readFile(join(projectFolder, "functions/own/functions.yml"), "utf8").catch(() => "");
  const { content } = readYaml("functions/own/functions.yml", own, { tags: true });
  const handlers = Object.values(isRecord(content) ? content : {}).map((one) =>
    isRecord(one) && typeof one.handler === "string" ? entryOf(projectFolder, one.handler) : undefined,
  );
  const files = new Set(["functions/own/triggers.ts", ...handlers]);
  return [...files].flatMap((file) => {
    const path = file === undefined ? undefined : join(projectFolder, file);
    return path !== undefined && existsSync(path) ? [path] : [];
  });
}

interface UsedFlow {
  readonly flow: FoundFlow;
  /** An expression of the bundle. */
  readonly place: string;
  readonly file: string;
}

interface ReadFlows {
  /** That other code of the bundle refers to. */
  readonly flows: readonly UsedFlow[];
  /** In the table; undefined if that cannot be known. */
  readonly registered: readonly FoundFlow[] | undefined;
}

function readFlows(code: string): ReadFlows {
  let statements = code.split(/\n(?=[a-z/])/).map((text) => ({ text, variables: variablesOf(text) }));
  const values = evaluateOwn(
    code,
    statements.flatMap(({ variables }) => variables),
  );
  const table = values.get("ownFlows");
  const registered = Array.isArray(table) && table.every(isFlow) ? table : undefined;
  for (;;) {
    const found = statements.flatMap((statement, index) => {
      const flows = statement.variables.flatMap((variable) => flowsIn(variable, values.get(variable)));
      const isUsed = (place: string) => {
        const reference = new RegExp(`(?<![\\w$.])${place.replaceAll(/[$.]/g, "\\$&")}(?![\\w$:])`);
        return statements.some((other) => other !== statement && reference.test(withoutTexts(other.text)));
      };
      const [, file = "functions/own"] =
        /^\/\/ (.*)/.exec(
          statements.findLast((one, at) => at < index && one.text.startsWith("// "))?.text ?? "",
        ) ?? [];
      const used = flows.filter(({ place }) => isUsed(place)).map((flow) => ({ ...flow, file }));
      return flows.length === 0 ? [] : [{ statement, used }];
    });
    const unused = found.filter(({ used }) => used.length === 0).map(({ statement }) => statement);
    if (unused.length === 0) return { flows: found.flatMap(({ used }) => used), registered };
    // What only an unused one refers to is unused as well.
    statements = statements.filter((statement) => !unused.includes(statement));
  }
}

/** That a statement of esbuild's form declares. */
function variablesOf(statement: string): readonly string[] {
  const [, head = ""] = /^(?:var|let|const) ([\w$]+|[{[][^=]*[}\]]) =/.exec(statement) ?? [];
  return head.match(/[A-Za-z_$][\w$]*\b(?!\s*:)/g) ?? [];
}

/** Not those of a list: code that uses the list does not say which. */
function flowsIn(variable: string, value: unknown) {
  if (isFlow(value)) return [{ place: variable, flow: value }];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    isFlow(one) ? [{ place: `${variable}.${key}`, flow: one }] : [],
  );
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
