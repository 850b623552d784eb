import { isScalar } from "yaml";
import type * as z from "zod/mini";
import { isRecord } from "../lib/json.ts";
import type { ConfigText } from "./config-text.ts";
import { hintAt, nearestName } from "./nearest-name.ts";
import { nodeAt, offsetOf, textAt, writtenAt } from "./place-of.ts";
import { choiceAt, keysAt } from "./schema-keys.ts";

/** Something in a YAML file that does not fit its schema. */
export interface Misfit {
  readonly text: ConfigText;
  readonly offset: number;
  /** The key, what was expected, what stands there. */
  readonly words: string;
}

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Says of each issue where it is, what was expected and what is there; in the order of the files and their lines.
 * @param texts The files that the content was put together from: of a key that several have, the last one's counts.
 */
export function describeMisfits(
  issues: readonly Issue[],
  schema: Schema,
  texts: readonly [ConfigText, ...ConfigText[]],
): readonly Misfit[] {
  const expectations = issues.flatMap((issue) => toClosest(issue, [], { schema, choice: schema, texts }));
  return expectations
    .filter((one) => !isOfUnknownKeys(one, expectations))
    .map((expectation) => {
      const { path, key, expected } = expectation;
      const place = key === undefined ? path : [...path, key];
      const text = textAt(place, texts);
      const got = key === undefined ? gotAt(text, expectation) : "";
      return { text, offset: offsetOf(text.document, place), words: `${toWords(place)}: ${expected}${got}` };
    })
    .toSorted(
      (one, other) => texts.indexOf(one.text) - texts.indexOf(other.text) || one.offset - other.offset,
    );
}

interface Expectation {
  readonly path: Path;
  readonly expected: string;
  /** A key in the place that should not be there. */
  readonly key?: string | undefined;
  /** What stands there must not be shown. */
  readonly isSecret?: boolean;
}

/** What an issue is about. */
interface Place {
  readonly schema: Schema;
  /** Of a choice, all that might stand there; otherwise the same. */
  readonly choice: Schema;
  readonly texts: readonly [ConfigText, ...ConfigText[]];
}

/** Of alternatives, takes the one that was meant. */
function toClosest(issue: Issue, within: Path, { schema, choice, texts }: Place): readonly Expectation[] {
  const path = [...within, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    const elsewhere = keysAt(choice, issue.path);
    return issue.keys.map((key) => {
      const expected = elsewhere.includes(key)
        ? "cannot stand beside the other keys here"
        : `there is no such key${hintAt(key, known)}`;
      return { path, key, expected };
    });
  }
  if (issue.code !== "invalid_union" || issue.errors.length === 0) {
    const isSecret = issue.code === "custom" && issue.params?.isSecret === true;
    return [{ path, expected: inPlainWords(issue.message), isSecret }];
  }
  const written = Object.keys(writtenObject(path, texts));
  const union = choiceAt(schema, issue.path);
  const alternatives = issue.errors.map((issues, index) => {
    const option = union?._zod.def.options[index] ?? schema;
    const place = { schema: option, choice: union ?? schema, texts };
    const misfits = issues.flatMap((inner) => toClosest(inner, path, place));
    return { misfits, likeness: likenessOf(written, keysAt(option, [])) };
  });
  const meant = alternatives.filter(
    ({ misfits }) => !misfits.some((misfit) => isOfAnotherKind(misfit, path)),
  );
  const [closest] = meant.toSorted(
    (one, other) => other.likeness - one.likeness || one.misfits.length - other.misfits.length,
  );
  if (closest !== undefined) return closest.misfits;
  const expected = alternatives
    .flatMap(({ misfits }) => misfits)
    .map((misfit) => misfit.expected.replace(/^expected /, ""));
  return [{ path, expected: `expected ${[...new Set(expected)].join(" or ")}` }];
}

/** What is said of an object as a whole may only follow from a key in it that is misspelt. */
function isOfUnknownKeys({ path, key }: Expectation, all: readonly Expectation[]): boolean {
  const isHere = (other: Expectation) => other.key !== undefined && toWords(other.path) === toWords(path);
  return key === undefined && path.length > 0 && all.some(isHere);
}

/** How much an object looks like one with these keys; a misspelt one counts half. */
function likenessOf(written: readonly string[], known: readonly string[]): number {
  const counts = written.map((key) =>
    known.includes(key) ? 1 : nearestName(key, known) === undefined ? 0 : 0.5,
  );
  return counts.reduce<number>((sum, one) => sum + one, 0);
}

/** Says what the locale says in an operator's words; what was received is told from the file itself. */
function inPlainWords(message: string): string {
  return message
    .replace(/^Invalid (input|option): |, received \w+$|\.$/g, "")
    .replace(/^Too small: expected (string|array) to have >=1 (characters|items)$/, "must not be empty")
    .replace(/^Too (small|big): expected \w+ to (be|have) >=(.*)$/, "must $2 at least $3")
    .replace(/^Too (small|big): expected \w+ to (be|have) <=(.*)$/, "must $2 at most $3")
    .replace(/^expected string$/, "expected a text")
    .replace(/^expected boolean$/, "expected true or false")
    .replace(
      /^expected (array|object|record)$/,
      (_, kind) => `expected ${kind === "array" ? "a list" : "keys with values"}`,
    )
    .replace(/^expected one of .*$/, (options) => options.replaceAll("|", ", "));
}

/** What is a text cannot have been meant as an alternative that is an object, however few its mistakes. */
function isOfAnotherKind({ path, expected, key }: Expectation, place: Path): boolean {
  return key === undefined && path.length === place.length && expected.startsWith("expected ");
}

/** `rules.0.when`, or what the whole file is called. */
function toWords(path: Path): string {
  return path.map((key) => inOneLine(String(key))).join(".") || "(the file)";
}

function writtenObject(path: Path, texts: readonly [ConfigText, ...ConfigText[]]): object {
  const written = writtenAt(textAt(path, texts).content, path);
  return isRecord(written) ? written : {};
}

const maxShownCharacters = 60;

/** What stands in a place; of a list or object whose parts are in order, nothing. */
function gotAt({ document, content }: ConfigText, { path, expected, isSecret }: Expectation): string {
  if (isSecret) return "";
  const node = nodeAt(document, path);
  if (node === undefined || node === null) return ", but it is missing";
  const value = writtenAt(content, path);
  if (isRecord(value) || Array.isArray(value)) {
    return expected.startsWith("expected ") ? `, got ${isRecord(value) ? "keys with values" : "a list"}` : "";
  }
  if (typeof value === "number" && expected.startsWith("expected a text")) {
    const written = isScalar(node) && typeof node.source === "string" ? node.source : String(value);
    return `, got the number ${shorten(written)}; put it in quotes`;
  }
  return `, got ${shorten(JSON.stringify(value) ?? "nothing")}`;
}

function shorten(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}

/** A key as a terminal can show it, whatever it is made of. */
function inOneLine(key: string): string {
  return shorten(key.replaceAll(/\p{C}/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`));
}
