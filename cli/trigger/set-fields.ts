import { isRecord, parseJson } from "../../lib/base/json.ts";
import { wrongUse } from "../cli-error.ts";

/**
 * Sets typed fields of a delivery: `data.message.data.text=Hello`. A text field stays a text; other values
 * are parsed as JSON if they are JSON (pure).
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
    changed = setField(changed, path.split("."), typed, path);
  }
  return changed;
}

function setField(
  record: Readonly<Record<string, unknown>>,
  names: readonly string[],
  typed: string,
  path: string,
): Record<string, unknown> {
  const [name = "", ...inner] = names;
  const before = Object.hasOwn(record, name) ? record[name] : undefined;
  const after = inner.length === 0 ? readTypedValue(before, typed) : setInner(before, inner, typed, path);
  // A name such as __proto__ is a field like any other.
  return Object.fromEntries([...Object.entries(record).filter(([one]) => one !== name), [name, after]]);
}

function setInner(before: unknown, names: readonly string[], typed: string, path: string): unknown {
  if (Array.isArray(before)) {
    const place = Number(names[0]);
    if (!Number.isInteger(place) || place < 0 || place > before.length) {
      throw wrongUse(`--set ${path}: the list has ${before.length} entries, from 0 on.`);
    }
    const rest = names.slice(1);
    const list = [...before];
    list[place] =
      rest.length === 0 ? readTypedValue(before[place], typed) : setInner(before[place], rest, typed, path);
    return list;
  }
  if (before !== undefined && !isRecord(before)) {
    throw wrongUse(`--set ${path} leads through a value that has no fields.`);
  }
  return setField(before ?? {}, names, typed, path);
}

function readTypedValue(before: unknown, typed: string): unknown {
  if (typeof before === "string") return typed;
  const value = parseJson(typed);
  return value === undefined ? typed : value;
}
