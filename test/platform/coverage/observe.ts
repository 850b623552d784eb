import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { expect } from "vitest";
import type { Platform } from "../../../local/platform/create-platform.ts";
import { readCoverage } from "../../../local/platform/ledger/rows.ts";
import { appRoutes, managementRoutes } from "../../../local/platform/routes.ts";
import { initialSwitches, type Switches } from "../../../local/platform/services/switches.ts";
import { actions } from "../../../local/platform/simulate/action-table.ts";
import { activeEngine } from "../../../local/platform/store/webhooks.ts";
import { coverageHooks } from "./hooks.ts";

// Records what each test of a file makes the platform do. After the file, compares it with the ledger's
// declarations of the file: a named test that is missing, or does not do what it is declared for, fails the
// file.

const seen = new Map<string, Set<string>>();
const tests = new Map<string, string>();
let current: string | undefined;
let file = "";

coverageHooks.begin = (task) => {
  file = relative(process.cwd(), task.file.filepath);
  current = task.fullTestName;
  for (const test of testsIn(task.file)) tests.set(test.fullTestName, test.mode);
};

coverageHooks.end = () => {
  const doing = [...seen].map(([test, ids]) => ({ file, test, ids: [...ids] }));
  const folder = process.env.COVERAGE_RECORD;
  if (folder !== undefined) {
    appendFileSync(`${folder}/seen.jsonl`, doing.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return;
  }
  const isPart = isFiltered();
  const unkept = readCoverage().flatMap(({ id, test, file: at }) => {
    const mode = tests.get(test);
    if (at !== file) return [];
    if (mode === undefined) return [`There is no test "${test}" that covers ${id}.`];
    if ((mode !== "run" && isPart) || seen.get(test)?.has(id) === true) return [];
    return [`The test "${test}" does not do ${id}.`];
  });
  // A file with only skipped tests begins none.
  [file, current] = ["", undefined];
  seen.clear();
  tests.clear();
  expect(unkept).toEqual([]);
};

/** Records a platform's actions for the current test; `usual` are switches that are unrelated to the test. */
export function observe(platform: Platform, usual: Partial<Switches>): void {
  const initial = Object.entries({ ...initialSwitches(), ...usual });
  platform.subscribe((record) => {
    for (const [name, value] of initial) {
      if (Reflect.get(platform.switches, name) !== value) note(`switch ${name}`);
    }
    if (record.type === "request") {
      if (record.operationId !== undefined && record.status < 400) {
        for (const id of sameAddress.get(`${surfaceOf(record.path)} ${record.operationId}`) ?? []) {
          note(`route ${id}`);
        }
      }
      if (record.code !== undefined) note(`error ${record.code}`);
    }
    if (record.type === "callback") note(`callback ${record.kind}`);
    if (record.type === "event" && record.deliveries > 0) {
      const isLegacy = activeEngine({ db: platform.services.db, appId: record.appId }) === 1;
      note(`${isLegacy ? "legacy" : "event"} ${record.trigger}`);
    }
  });
}

/** Records a platform's answer: its refusals, and the client's action that it answers. */
export function observeAnswer(answer: { method: string; path: string; status: number; text: string }): void {
  for (const [, code] of answer.text.matchAll(/"code":"([A-Z_]+)"/g)) note(`error ${code}`);
  if (answer.method !== "POST" || answer.status >= 400) return;
  const action = actions.find(({ path }) => toPattern(path).test(answer.path));
  if (action !== undefined) note(`action ${action.id}`);
}

function note(id: string) {
  if (current === undefined) return;
  const ids = seen.get(current) ?? new Set();
  seen.set(current, ids.add(id));
}

function surfaceOf(path: string): string {
  if (path.startsWith("/apimgmt/")) return "management";
  return /^\/[^/]+\.call-/.test(path) ? "calls" : "chat";
}

function toPattern(path: string): RegExp {
  return new RegExp(`^/apps/[^/]+${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

// Two operations of one method and path are indistinguishable: a call of one calls the other.
const sameAddress = (() => {
  const routes = [
    ...appRoutes,
    ...managementRoutes.map((route) => ({ ...route, surface: "management" })),
  ].map(({ surface, method, path, operationId }) => ({
    id: `${surface} ${operationId}`,
    address: `${surface} ${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`,
  }));
  const byAddress = Map.groupBy(routes, ({ address }) => address);
  return new Map(
    routes.map(({ id, address }) => [id, (byAddress.get(address) ?? []).map((route) => route.id)]),
  );
})();

type Task = { type: string; mode: string; fullTestName?: string; tasks?: Task[] };

function testsIn(task: Task): { fullTestName: string; mode: string }[] {
  if (task.tasks !== undefined) return task.tasks.flatMap(testsIn);
  return task.fullTestName === undefined ? [] : [{ fullTestName: task.fullTestName, mode: task.mode }];
}

// With `-t` only some tests run, so the others are not checked.
function isFiltered() {
  const worker: unknown = Reflect.get(globalThis, "__vitest_worker__");
  if (typeof worker !== "object" || worker === null || !("config" in worker)) return false;
  const { config } = worker;
  return (
    typeof config === "object" && config !== null && Reflect.get(config, "testNamePattern") !== undefined
  );
}
