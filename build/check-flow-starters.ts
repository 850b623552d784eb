import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { types } from "node:util";
import { build, type Plugin } from "esbuild";
import * as z from "zod/mini";
import { isRecord } from "../lib/base/json.ts";
import { entryOf } from "./bundle-functions.ts";
import { onlyEntry } from "./check-trigger-names.ts";
import { readYaml } from "./config-text.ts";
import { evaluateOwn, type FoundFlow, isFlow, type OwnStatement } from "./evaluate-own.ts";

/** Finds own triggers that use a flow's definition, directly or by other files. */
export async function findFlowStarters(projectFolder: string, names: readonly string[]) {
  const table = await readFile(join(projectFolder, "functions/own/triggers.ts"), "utf8").catch(() => "");
  const found = await Promise.all(
    names.map(async (name) => {
      const contents = onlyEntry(table, "ownTriggers", name);
      return contents !== undefined && flowsOf(await readStatements(contents, projectFolder)).length > 0
        ? [name]
        : [];
    }),
  );
  return found.flat();
}

const tableFile = "functions/own/flows.ts";

/** Lists flows that own code uses and the table lacks, if known, or reports an unreadable table. */
export async function checkFlowTable(projectFolder: string) {
  const table = readerOfTable(projectFolder);
  const starters = (await startersIn(projectFolder)).map((file) => `export * from ${JSON.stringify(file)};`);
  const [ofTable = [], ...ofStarters] = await Promise.all(
    [table, ...starters].map((contents) => readStatements(contents, projectFolder)),
  );
  const { values, isUncertain } = evaluateOwn(ofTable);
  // It does not build (see check-own-code.ts), or differs by stage.
  if (isUncertain || !("tableOfFlows" in values)) return [];
  const flows = values.tableOfFlows;
  if (!Array.isArray(flows)) {
    return [`${tableFile}: ownFlows cannot be read: export it as a list of flows, like [welcomeSeries]`];
  }
  if (!flows.every(isFlow)) return [];
  const registered = new Set(flows.map(({ name }) => name));
  const mistakes = [ofTable, ...ofStarters]
    .flatMap(flowsOf)
    .flatMap(({ file, flow: { name }, place, isHeld }) => {
      if (typeof name !== "string" || registered.has(name)) return [];
      const added = isHeld ? place : "it";
      return `${file}: the flow "${name}" is started and not registered: add ${added} to ownFlows in ${tableFile}`;
    });
  return [...new Set(mistakes)];
}

/** Returns the events that each flow of the table lists; undefined if unknown, or possibly different. */
export async function eventsOfFlows(projectFolder: string) {
  const statements = await readStatements(readerOfTable(projectFolder), projectFolder);
  const { values, isUncertain } = evaluateOwn(statements);
  const flows = isUncertain ? undefined : z.array(flowSchema).safeParse(values.tableOfFlows).data;
  return flows && Object.fromEntries(flows.map(({ name, waitsFor }) => [name, waitsFor]));
}

const flowSchema = z.object({ isFlow: z.literal(true), name: z.string(), waitsFor: z.array(z.string()) });

function readerOfTable(projectFolder: string) {
  return existsSync(join(projectFolder, tableFile))
    ? 'import * as own from "./flows.ts";\nglobalThis.tableOfFlows = own.ownFlows;'
    : "globalThis.tableOfFlows = [];";
}

async function startersIn(projectFolder: string) {
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

interface OwnFlow {
  readonly flow: FoundFlow;
  /** An expression of the bundle. */
  readonly place: string;
  /** False if code there defines it when it runs. */
  readonly isHeld: boolean;
}

function flowsOf(all: readonly OwnStatement[]) {
  const { values } = evaluateOwn(all);
  const withHeld = all.map((statement) => {
    const held = statement.variables.flatMap((variable) => heldIn(values[variable], variable));
    return { ...statement, held };
  });
  const names = new Set(withHeld.flatMap(({ held }) => held.map(({ flow }) => flow.name)));
  let statements = withHeld.map(({ held, ...statement }) => {
    return {
      ...statement,
      flows: [...held, ...definedLater(statement).filter(({ flow }) => !names.has(flow.name))],
    };
  });
  for (;;) {
    const found = statements.flatMap((statement) => {
      const others = (variable: string) =>
        statements.filter(({ variables }) => !variables.includes(variable));
      const used = statement.flows.filter(({ place }) => isUsed(place, others));
      return statement.flows.length === 0 ? [] : [{ statement, used }];
    });
    const unused = found.filter(({ used }) => used.length === 0).map(({ statement }) => statement);
    if (unused.length === 0) {
      return found.flatMap(({ statement: { file }, used }) => used.map((flow) => ({ ...flow, file })));
    }
    // A statement that only an unused one refers to is also unused.
    statements = statements.filter((statement) => !unused.includes(statement));
  }
}

/** Splits as esbuild writes: a line's beginning begins a statement, unless it closes one. */
function statementsOf(code: string): readonly OwnStatement[] {
  let file = "functions/own";
  return code.split(/\n(?=[^\s})\]])/).map((text) => {
    [, file = file] = /^\/\/ (.*)/.exec(text) ?? [];
    const [, head = ""] = /^(?:(?:var|let|const) )?([\w$, ]+|[{[][^=]*[}\]] =)/.exec(text) ?? [];
    return { text, file, variables: head.match(/[A-Za-z_$][\w$]*\b(?!\s*:)/g) ?? [] };
  });
}

/** Searches objects by their keys; for lists, maps and sets, code does not show which. */
function heldIn(value: unknown, place: string, seen = new Set<unknown>()): readonly OwnFlow[] {
  if (isFlow(value)) return [{ place, flow: value, isHeld: true }];
  if (Object(value) !== value || seen.has(value)) return [];
  seen.add(value);
  if (Array.isArray(value) || types.isMap(value) || types.isSet(value))
    return [...value.values()].flatMap((one) => heldIn(one, place, seen));
  // Skips getters: those of own code might fail.
  return Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([key, { value: one }]) =>
    heldIn(one, `${place}.${key}`, seen),
  );
}

function definedLater({ text, variables }: OwnStatement): readonly OwnFlow[] {
  return [...text.matchAll(/\bdefineFlow\d*\("([^"]*)",/g)].flatMap(([, name]) =>
    variables.map((place) => ({ place, flow: { isFlow: true, name, waitsFor: [] }, isHeld: false })),
  );
}

/** True if code refers to the place, its holder, or a part of it; reading the name starts nothing. */
function isUsed(place: string, others: (variable: string) => readonly OwnStatement[]) {
  const [variable = ""] = place.split(".");
  const named = variable.replaceAll("$", "\\$");
  const reference = new RegExp(`(?<![\\w$.])${named}(?:\\.[\\w$]+)*(?![\\w$:])`, "g");
  return others(variable)
    .flatMap(({ text }) => withoutTexts(text).match(reference) ?? [])
    .map((used) => `${used}.`)
    .some(
      (used) =>
        `${place}.`.startsWith(used) || (used.startsWith(`${place}.`) && !used.startsWith(`${place}.name.`)),
    );
}

function withoutTexts(code: string) {
  return code.replaceAll(/"(?:[^"\\\n]|\\.)*"|^\/\/.*/g, "");
}

/** Returns no code if it cannot be built (see check-own-code.ts). */
async function readStatements(contents: string, projectFolder: string) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(projectFolder, "functions/own"), loader: "ts" },
    // Removes unused imports, which own settings might keep.
    tsconfigRaw: "{}",
    bundle: true,
    write: false,
    logLevel: "silent",
    absWorkingDir: projectFolder,
    plugins: [onlyOwn],
    packages: "external",
    platform: "node",
    format: "esm",
    // Lines of a text would look like statements.
    legalComments: "none",
    supported: { "template-literal": false },
  }).catch(() => ({ outputFiles: [] }));
  return statementsOf(outputFiles[0]?.text ?? "");
}

const onlyOwn: Plugin = {
  name: "only-own",
  setup: ({ onResolve }) => {
    const filter = /^\.\.?\/(.*\/)?(lib|functions\/triggers)\/|\/config\/.+\.yml(\.js)?$/;
    onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
};
