import { isRecord } from "../base/json.ts";
import { assertGiven, checkOptionNames, readPlainly } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { isEventName } from "../events/app-event.ts";

/**
 * Checks the arguments of `defineFlow` at run time.
 * @throws InvalidInputError
 */
export function checkFlow(name: unknown, options: unknown, run: unknown): void {
  readPlainly("defineFlow", "options", () => {
    assertGiven(typeof name === "string", "defineFlow", "name", "a text", name);
    if (!isSchema(options)) checkOptions(options);
    const rule = "a function, which gets the flow and its input";
    assertGiven(typeof run === "function", "defineFlow", "run", rule, run);
  });
}

function checkOptions(options: unknown) {
  const rule = "a schema of zod 4, or { input, waitsFor } whose input is one";
  assertGiven(isRecord(options) && !("parse" in options), "defineFlow", "options", rule, options);
  checkOptionNames("defineFlow", ["input", "waitsFor"], options);
  const { input, waitsFor = [] } = options;
  assertGiven(isSchema(input), "defineFlow", "input", "a schema of zod 4", input);
  const isFine = Array.isArray(waitsFor) && waitsFor.every((one) => isEventName(one) && one !== "*");
  assertGiven(
    isFine,
    "defineFlow",
    "waitsFor",
    "a list of names of events that docs/events.md has",
    waitsFor,
  );
}

function isSchema(value: unknown) {
  return isRecord(value) && "_zod" in value && typeof value.safeParse === "function";
}

/**
 * Returns the name, which identifies the step in replays.
 * @throws InvalidInputError
 */
export function checkStepName(call: "do" | "list" | "run", name: string): string {
  assertGiven(typeof name === "string", call, "name", "a text", name);
  return name;
}

/**
 * Refuses undeclared events: they are not stored.
 * @throws InvalidInputError
 */
export function checkWait(names: unknown, options: unknown, declared?: readonly string[]): void {
  readPlainly("waitFor", "options", () => {
    const given: readonly unknown[] = Array.isArray(names) ? names : [names];
    const isDeclared = (name: unknown) => isEventName(name) && (declared?.includes(name) ?? true);
    const rule = `among those that the flow is defined to wait for${declared?.length ? `: ${declared.join(", ")}` : ""}`;
    assertGiven(given.length > 0 && given.every(isDeclared), "waitFor", "name", rule, names);
    assertGiven(isRecord(options), "waitFor", "options", "{ where, within }", options);
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
  assertGiven(typeof work === "function", "run", "work", "a function", work);
}

/** @throws InvalidInputError */
export function checkList(options: unknown, operation: unknown): void {
  readPlainly("list", "options", () => {
    assertGiven(isRecord(options), "list", "options", "{ limit }", options);
    checkOptionNames("list", ["limit"], options);
    const { limit } = options;
    const isCount = Number.isInteger(limit) && Number(limit) >= 1;
    assertGiven(isCount, "list", "limit", "a whole number of items", limit);
    const rule = "a list of the client, such as members.list";
    assertGiven("paged" in Object(operation), "list", "operation", rule, operation);
  });
}

/** @throws InvalidInputError */
export function checkWays(call: string, ways: unknown): void {
  readPlainly(call, "ways", () => {
    const isFine = Array.isArray(ways) && ways.every((way) => typeof way === "function");
    assertGiven(isFine, call, "ways", "a list of functions, which get a flow each", ways);
  });
}
