import { editDistance } from "../lib/base/names.ts";

/** Finds a name one or two letters away, in any case. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const most = written.length < 4 ? 1 : 2;
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest !== undefined && nearest.distance <= most ? nearest.name : undefined;
}

export function hintAt(written: string, names: readonly string[]): string {
  const meant = nearestName(written, names);
  if (meant !== undefined) return `; did you mean "${meant}"?`;
  return names.length === 0 ? "" : `; there is ${names.map((name) => `"${name}"`).join(", ")}`;
}
