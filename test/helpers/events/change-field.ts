/** Names of fields, from the outermost on. */
export type Path = readonly string[];

/** Lists the paths of all fields of a JSON value, including inner ones. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...pathsOf(inner, [...path, name]),
  ]);
}

/** Copies a JSON value with one field changed, or removed for undefined. */
export function withField(body: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const parent = path.slice(0, -1).reduce((inner, name) => inner[name] as Record<string, unknown>, copy);
  const name = path.at(-1) ?? "";
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (value === undefined) delete parent[name];
  else parent[name] = value;
  return copy;
}
