import { isRecord } from "../base/json.ts";
import { checkOptionNames } from "../chat/check-option-names.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { readPlainly } from "../chat/read-plainly.ts";
import { isEventName } from "../events/app-event.ts";

/** Checks a flow's definition, because types are not checked at run time. @throws InvalidInputError */
export function checkFlow(name: unknown, options: unknown, run: unknown): void {
  readPlainly("defineFlow", "options", () => {
    if (typeof name !== "string") throw wrong("name", "a text", name);
    if (!isSchema(options)) checkOptions(options);
    if (typeof run !== "function") throw wrong("run", "a function, which gets the flow and its input", run);
  });
}

function checkOptions(options: unknown): void {
  // A schema of another zod, such as zod 3, is not an options object either.
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

function isSchema(value: unknown): boolean {
  return isRecord(value) && "_zod" in value && typeof value.safeParse === "function";
}

function wrong(argument: string, rule: string, value: unknown): InvalidInputError {
  return new InvalidInputError("defineFlow", argument, rule, value === undefined);
}
