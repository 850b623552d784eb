import { readFileSync } from "node:fs";
import { allOperations } from "../catalogue/operations.ts";
import { errorEvidence } from "../errors/error-table.ts";
import { appRoutes, managementRoutes } from "../routes.ts";
import { switchTable } from "../services/switch-table.ts";
import { actions } from "../simulate/action-table.ts";
import { type CoveringTest, type LedgerRow, ledgerKinds, levels } from "./markdown.ts";

export function buildLedger(testOf: TestOf = findCoveringTest()): LedgerRow[] {
  return [
    ...routeRows(testOf),
    ...actionRows(testOf),
    ...errorRows(testOf),
    ...factRows(testOf),
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
  const routes = [...appRoutes, ...managementRoutes];
  const known = readRoutes();
  const differing = readDiffering();
  return allOperations().map(({ api, method, path, id: operationId, deprecated }) => {
    const surface = api === "calls" || api === "management" ? api : "chat";
    const id = `${method} ${path} (${surface}: ${operationId})`;
    const route = routes.find((one) => one.surface === surface && one.operationId === operationId);
    if (route === undefined) {
      const notes = deprecated ? ["deprecated, gone from the newest specification"] : [];
      return { kind: "route", id, level: "not built", source: "", notes, coveredBy: undefined };
    }
    const { source = "", notes = [] } = known.get(operationId) ?? {};
    const differences = differing
      .filter((one) => one.id === `${api} ${operationId}`)
      .map(
        ({ reason, differences }) =>
          `The answer differs from the printed example (${differences.join(", ")}): ${reason}.`,
      );
    return {
      kind: "route",
      id,
      level: route.fidelity,
      source,
      notes: [...notes, ...differences],
      coveredBy: testOf(`route ${surface} ${operationId}`),
    };
  });
}

function factRows(testOf: TestOf): LedgerRow[] {
  return readFacts().map(({ kind, id, level, source, covered = `${kind} ${id}`, notes }) => ({
    kind: ledgerKinds.find((name) => name === kind) ?? "event",
    id: kind === "legacy" ? `${id} (legacy engine)` : id,
    level,
    source,
    notes,
    coveredBy: testOf(covered),
  }));
}

// An action is as certain as its events: its address is the emulation's own.
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

function errorRows(testOf: TestOf): LedgerRow[] {
  return Object.entries(errorEvidence).flatMap(([evidence, statuses]) =>
    Object.entries(statuses).map(([code, status]): LedgerRow => {
      const known = evidence === "documented" ? "documented" : "assumed";
      return {
        kind: "error",
        id: code,
        level: code === "AUTH_ERR_APIKEY_NOT_FOUND" ? "live" : known,
        source: "docs/internals/platform/answers-and-errors.md#error-codes",
        notes: [`Status ${status} (${evidence}).`],
        coveredBy: testOf(`error ${code}`),
      };
    }),
  );
}

/** `id` is a kind and a name: `route chat send-message` */
export type CoverageRow = CoveringTest & { id: string };

function findCoveringTest(): (id: string) => CoveringTest | undefined {
  const byId = new Map(readCoverage().map(({ id, file, test }) => [id, { file, test }]));
  return (id) => byId.get(id);
}

/** Reads a file of tests, below it each test, below that what it covers. */
export function readCoverage(): CoverageRow[] {
  return outlineOf("coverage.txt").flatMap(({ text: file, below: tests }) =>
    tests.flatMap(({ text: test, below }) => textsOf(below).map((id) => ({ id, file, test }))),
  );
}

type DifferingAnswer = { id: string; reason: string; differences: string[] };

/** Reads a reason, below it each operation, below that each difference. */
export function readDiffering(): DifferingAnswer[] {
  return outlineOf("differing.txt").flatMap(({ text: reason, below: operations }) =>
    operations.map(({ text: id, below }) => ({ id, reason, differences: textsOf(below) })),
  );
}

/** Reads the page that describes an operation, below it its operations, below each what is assumed. */
function readRoutes() {
  const found = outlineOf("routes.txt").flatMap(({ text: source, below: operations }) =>
    operations.map(({ text: id, below }) => [id, { source, notes: textsOf(below) }] as const),
  );
  return new Map(found);
}

/**
 * Reads events, other calls to customers' servers, and errors not built. `covered`: an id in coverage's
 * table.
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

// Skips comments. Two blanks of indentation are one level.
function outlineOf(name: string): Entry[] {
  const top: Entry = { text: "", below: [] };
  const lines = readFileSync(new URL(name, import.meta.url), "utf8").split("\n");
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
