import { isRecord } from "../base/json.ts";
import { checkOptionNames } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { readPlainly } from "../chat/read-plainly.ts";
import { isEventName } from "../events/app-event.ts";
import { suggestTrigger } from "../events/suggest-trigger.ts";

/**
 * Checks what a table's type cannot: an unknown event would never arrive, and a misspelled option would be
 * ignored.
 * @throws InvalidInputError
 */
export function checkTrigger(names: unknown, rest: readonly unknown[]): void {
  readPlainly("onTrigger", "options", () => {
    for (const name of Array.isArray(names) ? names : [names]) {
      if (isEventName(name)) continue;
      const meant = typeof name === "string" ? suggestTrigger(name)?.reason : undefined;
      throw wrong(
        "names",
        `of events that docs/events.md has${meant === undefined ? "" : `. ${meant}`}`,
        name,
      );
    }
    const [options, handle] = rest.length < 2 ? [{}, rest[0]] : rest;
    if (!isRecord(options)) throw wrong("options", "an object", options);
    checkOptionNames("onTrigger", ["where", "maxAge", "settings", "namesOf"], options);
    const { where = {}, maxAge = 0, settings, namesOf = wrong } = options;
    if (!isRecord(where)) throw wrong("where", "conditions by their names", where);
    JSON.stringify(where);
    if (!/string|number/.test(typeof maxAge)) throw wrong("maxAge", "such as 1h, or milliseconds", maxAge);
    if (settings !== undefined) checkSettings("onTrigger", settings);
    for (const [name, called] of Object.entries({ namesOf, handle }))
      if (typeof called !== "function") throw wrong(name, "a function", called);
  });
}

export function checkSettings(call: string, settings: unknown): void {
  readPlainly(call, "settings", () => {
    if (typeof Object(settings).of === "function") return;
    throw new InvalidInputError(call, "settings", "what settingsFrom makes", settings === undefined);
  });
}

function wrong(argument: string, rule: string, value?: unknown): InvalidInputError {
  return new InvalidInputError("onTrigger", argument, rule, value === undefined);
}
