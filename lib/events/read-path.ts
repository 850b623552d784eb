import { isRecord } from "../base/json.ts";

/** A number counts as its digits; empty text and other kinds count as missing. */
export function readText(value: unknown, path: string): string | undefined {
  const found = readPath(value, path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found ? found : undefined;
}

/** Through plain objects. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isRecord(found) ? found[name] : undefined;
  return found;
}
