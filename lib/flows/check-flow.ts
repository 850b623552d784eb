import { isRecord } from "../base/json.ts";
import { checkOptionNames, readPlainly } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { isEventName } from "../events/app-event.ts";

/** @throws InvalidInputError */
export function checkFlow(name: unknown, options: unknown, run: unknown): void {
  readPlainly("defineFlow", "options", () => {
    if (typeof name !== "string") throw wrong("name", "a text", name);
    if (!isSchema(options)) checkOptions(options);
    if (typeof run !== "function") throw wrong("run", "a function, which gets the flow and its input", run);
  });
}

function checkOptions(options: unknown) {
  if (!isRecord(options) || "parse" in options) {
    throw wrong("options", "a schema of zod 4, or { input, waitsFor } whose input is one", options);
  }
  checkOptionNames("defineFlow", ["input", "waitsFor"], options);
  const { input, waitsFor = [] } = options;
  if (!isSchema(input)) throw wrong("input", "a schema of zod 4", input);
  if (!Array.isArray(waitsFor) || !waitsFor.every((one) => isEventName(one) && one !== "*")) {
    throw wrong("waitsFor", "a list of names of events that docs/events.md has", waitsFor);
  }
}

function isSchema(value: unknown) {
  return isRecord(value) && "_zod" in value && typeof value.safeParse === "function";
}

function wrong(argument: string, rule: string, value: unknown): InvalidInputError {
  return new InvalidInputError("defineFlow", argument, rule, value === undefined);
}

/** @throws InvalidInputError */
export function checkStepName(call: "do" | "list" | "run", name: string): string {
  if (typeof name === "string") return name;
  throw new InvalidInputError(call, "name", "a text", name === undefined);
}

/**
 * Undeclared events are not stored.
 * @throws InvalidInputError
 */
export function checkWait(names: unknown, options: unknown, declared?: readonly string[]): void {
  readPlainly("waitFor", "options", () => {
    const given: readonly unknown[] = Array.isArray(names) ? names : [names];
    const isDeclared = (name: unknown) => isEventName(name) && (declared?.includes(name) ?? true);
    if (given.length === 0 || !given.every(isDeclared)) {
      const rule = `among those that the flow is defined to wait for${declared?.length ? `: ${declared.join(", ")}` : ""}`;
      throw new InvalidInputError("waitFor", "name", rule, names === undefined);
    }
    if (!isRecord(options)) {
      throw new InvalidInputError("waitFor", "options", "{ where, within }", options === undefined);
    }
    checkOptionNames("waitFor", ["where", "within"], options);
    const { where } = options;
    if (where !== undefined && !isRecord(where)) {
      throw new InvalidInputError("waitFor", "where", "conditions by their names");
    }
    JSON.stringify(where);
  });
}

/** @throws InvalidInputError */
export function checkWork(work: unknown): void {
  if (typeof work !== "function")
    throw new InvalidInputError("run", "work", "a function", work === undefined);
}

/** @throws InvalidInputError */
export function checkList(options: unknown, operation: unknown): void {
  readPlainly("list", "options", () => {
    if (!isRecord(options))
      throw new InvalidInputError("list", "options", "{ limit }", options === undefined);
    checkOptionNames("list", ["limit"], options);
    const { limit } = options;
    if (!Number.isInteger(limit) || Number(limit) < 1)
      throw new InvalidInputError("list", "limit", "a whole number of items", limit === undefined);
    const rule = "a list of the client, such as members.list";
    if (!("paged" in Object(operation)))
      throw new InvalidInputError("list", "operation", rule, operation === undefined);
  });
}

/** @throws InvalidInputError */
export function checkWays(call: string, ways: unknown): void {
  readPlainly(call, "ways", () => {
    if (Array.isArray(ways) && ways.every((way) => typeof way === "function")) return;
    const rule = "a list of functions, which get a flow each";
    throw new InvalidInputError(call, "ways", rule, ways === undefined);
  });
}
