import { isRecord } from "../base/json.ts";

/**
 * Reads a dotted path as text. A number counts as its digits; empty text and other kinds count as missing.
 */
export function readText(value: unknown, path: string): string | undefined {
  const found = readPath(value, path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found ? found : undefined;
}

/** Reads a dotted path through plain objects. Returns undefined if the path does not exist. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isRecord(found) ? found[name] : undefined;
  return found;
}
