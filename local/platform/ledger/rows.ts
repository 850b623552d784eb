import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { allOperations } from "../catalogue/operations.ts";
import { errorEvidence } from "../errors/error-table.ts";
import { assumptionsOf } from "../http/shape.ts";
import { appRoutes, managementRoutes } from "../routes.ts";
import { switchTable } from "../services/switch-table.ts";
import { actions } from "../simulate/action-table.ts";
import { type CoveringTest, type LedgerRow, levels } from "./markdown.ts";

/** From declared routes, tables and sources. */
export function buildLedger(testOf: TestOf = findCoveringTest()): LedgerRow[] {
  const sources = readSources();
  return [
    ...routeRows(testOf),
    ...eventRows(sources, testOf),
    ...actionRows(testOf),
    ...errorRows(sources, testOf),
    ...Object.entries(switchTable).map(([name, definition]) => ({
      kind: "switch" as const,
      id: name,
      level: definition.level,
      source: definition.source,
      notes: [`${definition.says} Initially ${String(definition.initial)}.`],
      coveredBy: testOf(`switch ${name}`),
    })),
  ];
}

type TestOf = (id: string) => CoveringTest | undefined;

function routeRows(testOf: TestOf): LedgerRow[] {
  const declared = [
    ...appRoutes.map((route) => ({ ...route, host: route.surface })),
    ...managementRoutes.map((route) => ({ ...route, host: "management" })),
  ];
  const differing = readDiffering();
  return allOperations().map(({ api, method, path, id: operationId, deprecated }) => {
    const surface = api === "calls" || api === "management" ? api : "chat";
    const route = declared.find((item) => item.host === surface && item.operationId === operationId);
    return {
      kind: "route",
      id: `${method} ${path} (${surface}: ${operationId})`,
      level: route?.fidelity ?? "not built",
      source: route?.source ?? "",
      notes:
        route === undefined
          ? deprecated
            ? ["deprecated, gone from the newest specification"]
            : []
          : [
              ...route.assumptions,
              ...assumptionsOf(route),
              ...differing
                .filter(({ id }) => id === `${api} ${operationId}`)
                .map(
                  ({ reason, differences }) =>
                    `The answer differs from the printed example (${differences.join(", ")}): ${reason}.`,
                ),
            ],
      coveredBy: route === undefined ? undefined : testOf(`route ${surface} ${operationId}`),
    };
  });
}

// An event is built if a source names it; what is known of it is listed anyway.
function eventRows(sources: readonly SourceFile[], testOf: TestOf): LedgerRow[] {
  return readFacts().map(({ kind, id, level, source, covered = `${kind} ${id}`, notes }) => {
    if (kind === "callback") return { kind, id, level, source, notes, coveredBy: testOf(covered) };
    const isBuilt = filesNaming(sources, id).length > 0;
    return {
      kind: "event",
      id: kind === "legacy" ? `${id} (legacy engine)` : id,
      level: isBuilt ? level : "not built",
      source,
      notes,
      coveredBy: isBuilt ? testOf(covered) : undefined,
    };
  });
}

// An act is as sure as the events that it fires: its address is the emulation's own.
function actionRows(testOf: TestOf): LedgerRow[] {
  const events = readFacts().filter(({ kind }) => kind === "event");
  return actions.map(({ id, path, says, triggers }) => {
    const fired = events.filter((event) => triggers.includes(event.id));
    return {
      kind: "action",
      id: `POST /_platform/apps/{appId}${path}`,
      level: levels.findLast((level) => fired.some((event) => event.level === level)) ?? "assumed",
      source: [...new Set(fired.flatMap(({ source }) => source.split(", ")))].join(", "),
      notes: [says, `Events: ${triggers.join(", ")}.`],
      coveredBy: testOf(`action ${id}`),
    };
  });
}

function errorRows(sources: readonly SourceFile[], testOf: TestOf): LedgerRow[] {
  return Object.entries(errorEvidence).flatMap(([evidence, statuses]) =>
    Object.entries(statuses).map(([code, status]) => {
      const isBuilt = filesNaming(sources, code).length > 0;
      const level =
        code === "AUTH_ERR_APIKEY_NOT_FOUND" ? "live" : evidence === "documented" ? "documented" : "assumed";
      return {
        kind: "error" as const,
        id: code,
        level: isBuilt ? level : "not built",
        source: "docs/internals/platform/answers-and-errors.md#error-codes",
        notes: [`Status ${status} (${evidence}).`],
        coveredBy: isBuilt ? testOf(`error ${code}`) : undefined,
      };
    }),
  );
}

/** `id` is a kind and a name: `route chat send-message` */
export type CoverageRow = CoveringTest & { id: string };

/** Returns what finds the test of an id. */
function findCoveringTest(): (id: string) => CoveringTest | undefined {
  const byId = new Map(readCoverage().map(({ id, file, test }) => [id, { file, test }]));
  return (id) => byId.get(id);
}

/** The file of tests, below it each test, below that what it covers. */
export function readCoverage(): CoverageRow[] {
  return outlineOf("coverage.txt").flatMap(({ text: file, below: tests }) =>
    tests.flatMap(({ text: test, below }) => textsOf(below).map((id) => ({ id, file, test }))),
  );
}

/** Its answer has other keys or types than the printed example. */
type DifferingAnswer = { id: string; reason: string; differences: string[] };

/** A reason, below it each operation, below that each difference. */
export function readDiffering(): DifferingAnswer[] {
  return outlineOf("differing.txt").flatMap(({ text: reason, below: operations }) =>
    operations.map(({ text: id, below }) => ({ id, reason, differences: textsOf(below) })),
  );
}

/**
 * What is known of events, and of other calls to customers' servers. `covered` is the id in the table of
 * coverage.
 */
function readFacts() {
  return outlineOf("facts.txt").map(({ text, below }) => {
    const [head = "", id = "", covered] = text.split(" - ");
    const [kind = "", known, source = ""] = head.split(" ");
    const level = levels.find((name) => name.replace(" ", "-") === known) ?? "assumed";
    return { kind, level, source: source.replaceAll(",", ", "), id, covered, notes: textsOf(below) };
  });
}

type Entry = { text: string; below: Entry[] };

// The lines of a list that are no comments. Two blanks of indentation are one step of depth.
function outlineOf(name: string): Entry[] {
  const at = new URL(name, import.meta.url);
  const top: Entry = { text: "", below: [] };
  const lines = existsSync(at) ? readFileSync(at, "utf8").split("\n") : [];
  for (const line of lines.filter((one) => one !== "" && !one.startsWith("#"))) {
    let parent = top;
    for (let depth = line.search(/\S/) / 2; depth > 0; depth -= 1) parent = parent.below.at(-1) ?? parent;
    parent.below.push({ text: line.trim(), below: [] });
  }
  return top.below;
}

function textsOf(entries: readonly Entry[]) {
  return entries.map(({ text }) => text);
}

type SourceFile = { path: string; text: string };

/** Reads the sources of the emulation, without the ledger and the tables that only name things. */
function readSources(): SourceFile[] {
  return readFolder("local/platform").filter(
    ({ path }) => !path.startsWith("local/platform/ledger/") && !tables.includes(path),
  );
}

/** In quotes of any kind or between backticks. */
function filesNaming(files: readonly SourceFile[], word: string): string[] {
  const pattern = new RegExp(`["'\`]${word}["'\`]`);
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

function readFolder(folder: string) {
  const at = join(root, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => ({ path: path.slice(root.length), text: readFileSync(path, "utf8") }));
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const tables = ["local/platform/errors/error-table.ts", "local/platform/webhooks/trigger-table.ts"];
