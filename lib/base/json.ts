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

/** Of objects and lists. Returns the same value if nothing lies deeper. */
export function withoutDepths(value: unknown, levels: number): unknown {
  return isNestedBeyond(value, levels) ? copyLevels(value, levels) : value;
}

function copyLevels(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => copyLevels(item, levels - 1) ?? null);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, copyLevels(inner, levels - 1)]),
  );
}

/** Stops there, so it works at any depth. */
function isNestedBeyond(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (left === 0) return true;
  for (const inner of Object.values(value)) if (isNestedBeyond(inner, left - 1)) return true;
  return false;
}
