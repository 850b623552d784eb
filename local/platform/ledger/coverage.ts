import { filesNaming, type SourceFile } from "./scan.ts";

/** A route whose tests are looked for. `prefix` stands before its path in calls that do not say their method. */
export type Sought = { id: string; method: string; path: string };

/**
 * Finds for each route the test files that call it: a text `METHOD /path` (query left out, `${…}` standing for any one
 * segment) or the operation's id in quotes. Of several routes a call fits, the closest counts.
 */
export function findCoverage(routes: readonly Sought[], tests: readonly SourceFile[]): Map<string, string[]> {
  const covered = new Map<string, Set<string>>(routes.map(({ id }) => [id, new Set()]));
  for (const test of tests) {
    for (const { method, segments } of callsIn(test.text)) {
      for (const id of bestRoutes(routes, method, segments)) covered.get(id)?.add(test.path);
    }
  }
  for (const { id } of routes) {
    const operationId = id.slice(id.indexOf(" ") + 1);
    for (const path of filesNaming(tests, operationId)) covered.get(id)?.add(path);
  }
  return new Map([...covered].map(([id, files]) => [id, [...files].toSorted()]));
}

function callsIn(text: string): { method: string; segments: string[] }[] {
  const flat = text.replaceAll(/\$\{[^{}]*\}/g, anySegment);
  return [...flat.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s"'`,?#)]*)/g)].map(
    ([, method = "", path = ""]) => ({ method, segments: path.split("/").slice(1) }),
  );
}

function bestRoutes(routes: readonly Sought[], method: string, segments: readonly string[]): string[] {
  let best: string[] = [];
  let closest = -1;
  for (const route of routes) {
    if (route.method !== method) continue;
    const fixed = closeness(route.path.split("/").slice(1), segments);
    if (fixed === undefined || fixed < closest) continue;
    best = fixed === closest ? [...best, route.id] : [route.id];
    closest = fixed;
  }
  return best;
}

function closeness(pattern: readonly string[], segments: readonly string[]): number | undefined {
  if (pattern.length !== segments.length) return undefined;
  let fixed = 0;
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    // A variable rather stands for a parameter than for a word, unless part of the word is there.
    if (part.startsWith("{")) fixed += segment === anySegment ? 0.5 : 0;
    else if (part === segment) fixed += 1;
    else if (!segment.includes(anySegment) || !fits(part, segment)) return undefined;
    else fixed += segment === anySegment ? 0 : 0.75;
  }
  return fixed;
}

// `${type}s` may stand for `users`; a part that is all variable fits any word.
function fits(part: string, segment: string): boolean {
  const pieces = segment.split(anySegment);
  return part.startsWith(pieces[0] ?? "") && part.endsWith(pieces.at(-1) ?? "");
}

const anySegment = "\u0000";
