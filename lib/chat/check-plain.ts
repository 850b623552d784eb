import { isRecord } from "../base/json.ts";
import { checkOptionNames } from "./check-option-names.ts";
import { InvalidInputError } from "./errors.ts";
import { readPlainly } from "./read-plainly.ts";

/** Undefined counts as absent. */
export type PlainRule = readonly [rule: string, isFine: (value: unknown) => boolean];

/**
 * Like `checkCall`, without a schema library.
 * @throws InvalidInputError naming argument or field and the rule, never the value
 */
export function checkPlain(
  call: string,
  argument: string,
  rules: Readonly<Record<string, PlainRule>>,
  value: unknown,
): void {
  readPlainly(call, argument, () => {
    if (!isRecord(value)) throw new InvalidInputError(call, argument, "an object", value === undefined);
    checkOptionNames(call, Object.keys(rules), value);
    for (const [name, [rule, isFine]] of Object.entries(rules)) {
      const field = value[name];
      if (field !== undefined && !isFine(field)) throw new InvalidInputError(call, name, rule);
    }
  });
}

export const plainText: PlainRule = ["a text", (value) => typeof value === "string"];
