import { type Document, isCollection, isMap, isNode, isScalar, type LineCounter } from "yaml";
import type * as z from "zod/mini";

/** Something in a YAML file that does not fit its schema. */
export interface Misfit {
  readonly line: number;
  /** The key, what was expected, what stands there. */
  readonly text: string;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Says of each issue where in the file it is, what was expected and what is there; in the file's order. */
export function describeMisfits(
  issues: readonly Issue[],
  document: Document,
  lines: LineCounter,
): readonly Misfit[] {
  return issues
    .flatMap((issue) => toClosest(issue, []))
    .map((expectation) => {
      const { path, key, expected } = expectation;
      const place = key === undefined ? path : [...path, key];
      const got = key === undefined ? gotAt(document, expectation) : "";
      return { line: lineOf(document, lines, place), text: `${toText(place)}: ${expected}${got}` };
    })
    .toSorted((one, other) => one.line - other.line);
}

interface Expectation {
  readonly path: Path;
  readonly expected: string;
  /** A key in the place that should not be there. */
  readonly key?: string | undefined;
}

/** Of alternatives, takes the one that was meant. */
function toClosest(issue: Issue, within: Path): readonly Expectation[] {
  const path = [...within, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path, key, expected: "there is no such key" }));
  }
  if (issue.code !== "invalid_union" || issue.errors.length === 0) {
    return [{ path, expected: inPlainWords(issue.message) }];
  }
  const alternatives = issue.errors.map((issues) => issues.flatMap((inner) => toClosest(inner, path)));
  const meant = alternatives.filter((misfits) => !misfits.some((misfit) => isOfAnotherKind(misfit, path)));
  const [closest] = meant.toSorted((one, other) => one.length - other.length);
  if (closest !== undefined) return closest;
  const expected = alternatives.flat().map((misfit) => misfit.expected.replace(/^expected /, ""));
  return [{ path, expected: `expected ${[...new Set(expected)].join(" or ")}` }];
}

/** Says what the locale says in an operator's words; what was received is told from the file itself. */
function inPlainWords(message: string): string {
  return message
    .replace(/^Invalid (input|option): |, received \w+$|\.$/g, "")
    .replace(/^expected string$/, "expected a text")
    .replace(/^expected boolean$/, "expected true or false")
    .replace(
      /^expected (array|object)$/,
      (_, kind) => `expected ${kind === "array" ? "a list" : "keys with values"}`,
    )
    .replace(/^expected one of .*$/, (options) => options.replaceAll("|", ", "));
}

/** What is a text cannot have been meant as an alternative that is an object, however few its mistakes. */
function isOfAnotherKind({ path, expected, key }: Expectation, place: Path): boolean {
  return key === undefined && path.length === place.length && expected.startsWith("expected ");
}

/** `rules.0.when`, or what the whole file is called. */
function toText(path: Path): string {
  return path.map(String).join(".") || "(the file)";
}

/** The line of a key; of what is missing, that of what it is missing in. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = nodeAt(document, path.slice(0, length - 1));
    const name = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const node = pair?.key ?? nodeAt(document, path.slice(0, length));
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function nodeAt(document: Document, path: Path): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

const maxShownCharacters = 60;

/** What stands in a place; of a list or object whose parts are in order, nothing. */
function gotAt(document: Document, { path, expected }: Expectation): string {
  const node = nodeAt(document, path);
  if (node === undefined || node === null) return ", but it is missing";
  if (isCollection(node)) {
    return expected.startsWith("expected ") ? `, got ${isMap(node) ? "keys with values" : "a list"}` : "";
  }
  const shown = JSON.stringify(isScalar(node) ? node.value : node) ?? "nothing";
  return `, got ${shown.length > maxShownCharacters ? `${shown.slice(0, maxShownCharacters)}…` : shown}`;
}
