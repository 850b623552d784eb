import { allOperations } from "../catalogue/catalogue.ts";
import { errorEvidence } from "../errors/error-table.ts";
import { assumptionsOf } from "../http/shape.ts";
import { appRoutes, managementRoutes } from "../routes.ts";
import { switchTable } from "../services/switch-table.ts";
import { actions } from "../simulate/action-table.ts";
import {
  filesNaming,
  findCoveringTest,
  readDiffering,
  readFacts,
  readSources,
  type SourceFile,
} from "./coverage.ts";
import { type CoveringTest, type LedgerRow, levels } from "./markdown.ts";

/** From declared routes, tables and sources. */
export function buildLedger(testOf: TestOf = findCoveringTest()): LedgerRow[] {
  const sources = readSources();
  return [
    ...routeRows(testOf),
    ...eventRows(sources, testOf),
    ...actionRows(testOf),
    ...errorRows(sources, testOf),
    ...Object.entries(switchTable).map(([name, fact]) => ({
      kind: "switch" as const,
      id: name,
      level: fact.level,
      source: fact.source,
      notes: [`${fact.says} Initially ${String(fact.initial)}.`],
      coveredBy: testOf(`switch ${name}`),
    })),
  ];
}

type TestOf = (id: string) => CoveringTest | undefined;

function routeRows(testOf: TestOf): LedgerRow[] {
  const declared = [
    ...appRoutes.map((route) => ({ ...route, host: route.surface ?? "chat" })),
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
