import { isRecord, readPath } from "../../lib/base/json.ts";

/** Returns the first text that is not empty; else an empty one. */
export function textAt(value: unknown, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = readPath(value, path);
    if (typeof found === "string" && found !== "") return found;
  }
  return "";
}

/** Changes every value, the innermost first. An item of a list has the list's name. */
export function mapJson(
  value: unknown,
  change: (value: unknown, name: string) => unknown,
  name = "",
): unknown {
  if (Array.isArray(value)) return value.map((one) => mapJson(one, change, name));
  if (!isRecord(value)) return change(value, name);
  const mapped = Object.entries(value).map(([field, one]) => [field, mapJson(one, change, field)]);
  return change(Object.fromEntries(mapped), name);
}
