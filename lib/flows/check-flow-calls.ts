import { isRecord } from "../base/json.ts";
import { checkOptionNames } from "../chat/check-option-names.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { readPlainly } from "../chat/read-plainly.ts";
import { isEventName } from "../events/app-event.ts";

/** Checks a step's name, which identifies the step in replays. @throws InvalidInputError */
export function checkStepName(name: string): string {
  if (typeof name === "string") return name;
  throw new InvalidInputError("do", "name", "a text", name === undefined);
}

/**
 * Checks what a flow asks to wait for: undeclared events are not stored, and it would wait in vain.
 * @throws InvalidInputError
 */
export function checkWait(trigger: unknown, options: unknown, declared?: readonly string[]): void {
  readPlainly("waitFor", "options", () => {
    const isDeclared = isEventName(trigger) && (declared?.includes(trigger) ?? true);
    if (!isDeclared) {
      const rule = `among those that the flow is defined to wait for${declared?.length ? `: ${declared.join(", ")}` : ""}`;
      throw new InvalidInputError("waitFor", "name", rule, trigger === undefined);
    }
    if (!isRecord(options)) {
      throw new InvalidInputError("waitFor", "options", "{ where, within }", options === undefined);
    }
    checkOptionNames("waitFor", ["where", "within"], options);
    const { where } = options;
    if (where !== undefined && !isRecord(where)) {
      throw new InvalidInputError("waitFor", "where", "conditions by their names");
    }
    // A value that cannot be serialized fails now, not in each try to store it.
    JSON.stringify(where);
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
