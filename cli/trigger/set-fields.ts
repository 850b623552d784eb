import { isRecord, parseJson } from "../../lib/base/json.ts";
import { wrongUse } from "../cli-error.ts";

/**
 * `data.message.data.text=Hello`: a text field stays a text, other values are parsed as JSON if they are
 * JSON.
 * @throws CliError if the syntax is wrong, or the path leads through a value that has no fields
 */
export function setFields(
  body: Readonly<Record<string, unknown>>,
  settings: readonly string[],
): Record<string, unknown> {
  let changed: Record<string, unknown> = { ...body };
  for (const setting of settings) {
    const [, path, typed] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
    if (path === undefined || typed === undefined) {
      throw wrongUse(
        `--set cannot be "${setting}".`,
        "It must be a path and a value, such as data.message.data.text=Hello.",
      );
    }
    const after = setIn(changed, path.split("."), typed, path);
    if (isRecord(after)) changed = after;
  }
  return changed;
}

function setIn(before: unknown, [name, ...rest]: readonly string[], typed: string, path: string): unknown {
  if (name === undefined) return readTypedValue(before, typed);
  if (Array.isArray(before)) {
    const place = Number(name);
    if (Number.isInteger(place) && place >= 0 && place <= before.length) {
      return before.toSpliced(place, 1, setIn(before[place], rest, typed, path));
    }
    throw wrongUse(`--set ${path}: the list has ${before.length} entries, from 0 on.`);
  }
  if (before !== undefined && !isRecord(before)) {
    throw wrongUse(`--set ${path} leads through a value that has no fields.`);
  }
  const record = before ?? {};
  const inner = Object.hasOwn(record, name) ? record[name] : undefined;
  const others = Object.entries(record).filter(([one]) => one !== name);
  // __proto__ is a field like any other.
  return Object.fromEntries([...others, [name, setIn(inner, rest, typed, path)]]);
}

function readTypedValue(before: unknown, typed: string): unknown {
  if (typeof before === "string") return typed;
  const value = parseJson(typed);
  return value === undefined ? typed : value;
}
