/** @returns undefined if it is not JSON: the parser's error would quote it */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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
