import { errorTable } from "../errors/error-table.ts";
import type { Level } from "../fidelity.ts";
import { appRoutes, managementRoutes } from "../routes.ts";
import { switchTable } from "../services/switches.ts";
import { actions } from "../simulate/action-table.ts";
import { currentTriggers, legacyTriggers } from "../webhooks/trigger-table.ts";
import { callbackFacts } from "./callback-facts.ts";
import { findCoverage } from "./coverage.ts";
import { factOfEvent, factOfLegacyEvent } from "./event-facts.ts";
import { readOperations } from "./operations.ts";
import {
  contractTest,
  filesNaming,
  readContractOperations,
  readSources,
  readTests,
  type SourceFile,
} from "./scan.ts";

/** One behaviour of the platform in the ledger. `coveredBy` lists test files from the project's root. */
export type LedgerRow = {
  kind: (typeof ledgerKinds)[number];
  id: string;
  level: Level;
  source: string;
  notes: readonly string[];
  coveredBy: readonly string[];
};

/** Names the kinds of rows, in the order they are shown. */
export const ledgerKinds = ["route", "event", "callback", "action", "error", "switch"] as const;

/** Gathers the ledger from the declared routes, the tables, the sources and the tests. */
export function buildLedger(): LedgerRow[] {
  const tests = readTests();
  const sources = readSources();
  return [
    ...routeRows(tests),
    ...eventRows(sources, tests),
    ...callbackFacts.map(({ id, level, source, notes, word }) => ({
      kind: "callback" as const,
      id,
      level,
      source,
      notes,
      coveredBy: level === "not built" ? [] : filesHolding(tests, word),
    })),
    ...actionRows(tests),
    ...errorRows(sources, tests),
    ...Object.entries(switchTable).map(([name, fact]) => ({
      kind: "switch" as const,
      id: name,
      level: fact.level,
      source: fact.source,
      notes: [`${fact.says} Initially ${String(fact.initial)}.`],
      coveredBy: filesHolding(tests, name),
    })),
  ];
}

function routeRows(tests: readonly SourceFile[]): LedgerRow[] {
  const declared = [
    ...appRoutes.map((route) => ({ ...route, host: route.surface ?? "chat" })),
    ...managementRoutes.map((route) => ({ ...route, host: "management" })),
  ];
  const coverage = findCoverage(
    declared.map(({ host, operationId, method, path }) => ({ id: `${host} ${operationId}`, method, path })),
    tests,
  );
  const contract = readContractOperations();
  return readOperations().map(({ surface, method, path, operationId, missing }) => {
    const id = `${method} ${path} (${surface}: ${operationId})`;
    const route = declared.find((item) => item.host === surface && item.operationId === operationId);
    return {
      kind: "route",
      id,
      level: route?.fidelity ?? "not built",
      source: route?.source ?? "",
      notes: route?.assumptions ?? (missing === undefined ? [] : [missing]),
      coveredBy:
        route === undefined
          ? []
          : [
              ...(contract.has(operationId) ? [contractTest] : []),
              ...(coverage.get(`${surface} ${operationId}`) ?? []),
            ],
    };
  });
}

function eventRows(sources: readonly SourceFile[], tests: readonly SourceFile[]): LedgerRow[] {
  const current = Object.keys(currentTriggers).map((trigger) => ({
    trigger,
    id: trigger,
    fact: factOfEvent(trigger),
  }));
  const legacy = Object.keys(legacyTriggers).map((trigger) => ({
    trigger,
    id: `${trigger} (legacy engine)`,
    fact: factOfLegacyEvent(trigger),
  }));
  return [...current, ...legacy].map(({ trigger, id, fact }) => {
    const isBuilt = filesNaming(sources, trigger).length > 0;
    return {
      kind: "event",
      id,
      level: isBuilt ? fact.level : "not built",
      source: fact.source,
      notes: fact.note === undefined ? [] : [fact.note],
      coveredBy: isBuilt ? filesNaming(tests, trigger) : [],
    };
  });
}

function actionRows(tests: readonly SourceFile[]): LedgerRow[] {
  const coverage = findCoverage(
    actions.map(({ id, path }) => ({ id: `action ${id}`, method: "POST", path })),
    tests.map(({ path, text }) => ({ path, text: text.replaceAll(/act\(\s*platform,\s*["'`]/g, "$&POST ") })),
  );
  return actions.map(({ id, path, says, triggers }) => ({
    kind: "action",
    id: `POST /_platform/apps/{appId}${path}`,
    level: "assumed",
    source: "docs/platform/addressing-and-keys.md#where-families-live",
    notes: [says, `Events: ${triggers.join(", ")}.`],
    coveredBy: coverage.get(`action ${id}`) ?? [],
  }));
}

function errorRows(sources: readonly SourceFile[], tests: readonly SourceFile[]): LedgerRow[] {
  return Object.entries(errorTable).map(([code, { status, evidence }]) => {
    const isBuilt = filesNaming(sources, code).length > 0;
    const level =
      code === "AUTH_ERR_APIKEY_NOT_FOUND" ? "live" : evidence === "documented" ? "documented" : "assumed";
    return {
      kind: "error",
      id: code,
      level: isBuilt ? level : "not built",
      source: "docs/platform/answers-and-errors.md#error-codes",
      notes: [`Status ${status} (${evidence}).`],
      coveredBy: isBuilt ? filesNaming(tests, code) : [],
    };
  });
}

function filesHolding(files: readonly SourceFile[], word: string): string[] {
  return files.filter(({ text }) => text.includes(word)).map(({ path }) => path);
}
