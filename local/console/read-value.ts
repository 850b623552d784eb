import { isRecord } from "../../lib/base/json.ts";

export function valueAt(value: unknown, path: string): unknown {
  const step = (inner: unknown, name: string) =>
    isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  return path.split(".").reduce(step, value);
}

/** Returns the first text that is not empty; else an empty one. */
export function textAt(value: unknown, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = valueAt(value, path);
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
