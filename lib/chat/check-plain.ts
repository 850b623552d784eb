import { isRecord } from "../base/json.ts";
import { checkOptionNames } from "./check-option-names.ts";
import { InvalidInputError } from "./errors.ts";
import { readPlainly, typeNameOf } from "./read-plainly.ts";

/** Undefined counts as absent. */
export type PlainRule = readonly [rule: string, isFine: (value: unknown) => boolean];

export type PlainRules = Readonly<Record<string, PlainRule>>;

/**
 * Like `checkCall`, without a schema library.
 * @param required the fields that must be present
 * @throws InvalidInputError naming argument or field and the rule, never the value
 */
export function checkPlain(
  call: string,
  argument: string,
  rules: PlainRules,
  value: unknown,
  required: readonly string[] = [],
  mayHaveOthers = false,
): void {
  readPlainly(call, argument, () => {
    if (!isRecord(value)) {
      const rule = value === undefined ? "an object" : `an object, not ${typeNameOf(value)}`;
      throw new InvalidInputError(call, argument, rule, value === undefined);
    }
    checkOptionNames(call, Object.keys(rules), value, mayHaveOthers);
    for (const [name, [rule, isFine]] of Object.entries(rules)) {
      const field = value[name];
      if (field === undefined ? required.includes(name) : !isFine(field)) {
        throw new InvalidInputError(call, name, rule, field === undefined);
      }
    }
  });
}

export const plainText: PlainRule = ["a text", (value) => typeof value === "string"];
export const plainFunction: PlainRule = ["a function", (value) => typeof value === "function"];
