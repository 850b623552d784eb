/** Field names and list indexes. */
export type Path = readonly (string | number)[];

export type Kind = "text" | "number" | "true or false" | "null" | "group" | "list";

export const kinds: readonly Kind[] = ["text", "number", "true or false", "null", "group", "list"];

export type Group = Readonly<Record<string, unknown>>;

export function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function kindOf(value: unknown): Kind {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "true or false";
  if (Array.isArray(value)) return "list";
  return isGroup(value) ? "group" : "null";
}

/** A path that leads nowhere changes nothing. */
export function setAt(value: unknown, [name, ...rest]: Path, inner: unknown): unknown {
  if (name === undefined) return inner;
  if (Array.isArray(value)) {
    if (name === value.length && rest.length === 0) return [...value, inner];
    return value.map((one, place) => (place === name ? setAt(one, rest, inner) : one));
  }
  if (!isGroup(value)) return value;
  const entries = Object.entries(value);
  if (!Object.hasOwn(value, name))
    return rest.length > 0 ? value : fromEntries([...entries, [String(name), inner]]);
  return fromEntries(entries.map(([one, old]) => [one, one === name ? setAt(old, rest, inner) : old]));
}

export function removeAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.filter((_one, place) => place !== name);
    return value.map((one, place) => (place === name ? removeAt(one, rest) : one));
  }
  if (!isGroup(value)) return value;
  const entries = Object.entries(value);
  if (rest.length === 0) return fromEntries(entries.filter(([one]) => one !== name));
  return fromEntries(entries.map(([one, old]) => [one, one === name ? removeAt(old, rest) : old]));
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isGroup(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

export function convert(value: unknown, kind: Kind): unknown {
  switch (kind) {
    case "text":
      return typeof value === "string" ? value : isGroup(value) || Array.isArray(value) ? "" : textOf(value);
    case "number": {
      const number = typeof value === "boolean" ? Number(value) : Number.parseFloat(String(value));
      return Number.isFinite(number) ? number : 0;
    }
    case "true or false":
      return value === true || value === 1 || value === "true" || value === "1";
    case "null":
      return null;
    case "group":
      return isGroup(value) ? value : {};
    case "list":
      return Array.isArray(value) ? value : value === null || isGroup(value) ? [] : [value];
  }
}

export function itemLike(list: readonly unknown[]): unknown {
  return list.length === 0 ? "" : structuredClone(list.at(-1));
}

/** Counts only up to `most`. */
export function isLargerThan(value: unknown, most: number): boolean {
  let left = most;
  const count = (one: unknown): void => {
    left -= 1;
    if (left < 0) return;
    if (Array.isArray(one)) for (const inner of one) count(inner);
    else if (isGroup(one)) for (const inner of Object.values(one)) count(inner);
  };
  count(value);
  return left < 0;
}

export function dotted(path: Path): string {
  return path.join(".");
}

export interface Mistake {
  readonly words: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** @returns undefined if it is JSON */
export function mistakeIn(text: string): Mistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    const [, line, column] = /line (\d+) column (\d+)/.exec(told) ?? [];
    const words = told
      .replace(/^JSON\.parse: /, "")
      .replace(/ (in JSON )?at (position|line) .*$/s, "")
      .replace(/, "?\.{3}?.*is not valid JSON$/s, "");
    if (line !== undefined && column !== undefined)
      return { words, line: Number(line), column: Number(column) };
    // A truncated text is wrong at its end.
    const lines = text.split("\n");
    return { words, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  }
}

export function wordsOfMistake({ line, column, words }: Mistake): string {
  return `Line ${line}, column ${column}: ${words}.`;
}

/** The first integer that JavaScript would round. */
export function roundedIn(text: string): string | undefined {
  const outsideTexts = text.replace(/"(?:\\.|[^"\\])*"/g, '""');
  const numbers = outsideTexts.match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.filter((number) => /^-?\d+$/.test(number)).find(isRounded);
}

function isRounded(digits: string): boolean {
  const number = Number(digits);
  return !Number.isFinite(number) || BigInt(digits) !== BigInt(number);
}

export interface Change {
  readonly path: Path;
  /** Undefined if the value was removed. */
  readonly value?: unknown;
}

export function changesBetween(before: unknown, after: unknown, path: Path = []): Change[] {
  if (isGroup(before) && isGroup(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name): Change[] => {
      if (!Object.hasOwn(after, name)) return [{ path: [...path, name] }];
      if (!Object.hasOwn(before, name)) return [{ path: [...path, name], value: after[name] }];
      return changesBetween(before[name], after[name], [...path, name]);
    });
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((one, place) => changesBetween(before[place], one, [...path, place]));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, value: after }];
}

/** Unlike assignment, this keeps a field named __proto__. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Group {
  return Object.fromEntries(entries);
}

function textOf(value: unknown): string {
  return value === null ? "" : String(value);
}
