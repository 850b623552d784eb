import { checkPlain, type PlainRules, plainFunction, readPlainly, typeNameOf } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";

export function checkGiven(name: string, isFine: (value: unknown) => boolean, given: unknown, what: string) {
  if (isFine(given)) return;
  throw new InvalidInputError("importAll", name, `a function that gives ${what}, not ${typeNameOf(given)}`);
}

/** Refuses `__proto__`, which the client drops from a record. */
export function isKey(value: unknown) {
  return typeof value === "string" && value !== "" && value !== "__proto__";
}

export function checkArguments(entities: unknown, options: unknown) {
  const isList = readPlainly("importAll", "entities", () => {
    const list = Object(entities);
    return typeof entities !== "string" && (Symbol.iterator in list || Symbol.asyncIterator in list);
  });
  if (!isList) {
    throw new InvalidInputError("importAll", "entities", "a list, or what else for await goes over");
  }
  const rules: PlainRules = {
    keyOf: plainFunction,
    send: plainFunction,
    onProgress: plainFunction,
    signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  };
  checkPlain("importAll", "options", rules, options, ["keyOf", "send"]);
}
