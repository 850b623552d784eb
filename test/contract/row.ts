import { expect } from "vitest";
import type { Paged } from "../../lib/chat/paged.ts";
import { after, type Sample, type World, withInput } from "./prepare.ts";

/** What an operation was called with; `path` gives a value of the path and throws for one the path does not have. */
export interface Called {
  readonly path: (name: string) => string;
  readonly input: object;
}

/** A part of an object, a whole list, or a plain value. Lists hold what they name and nothing else. */
export type Expected = object | string | number | boolean;
type ExpectedOf = Expected | ((called: Called) => Expected);

/** One operation: what it is called with, what it must answer, and what the platform must show afterwards. */
export interface Row {
  /** What it is called with, once everything it needs is there. Default: the values of `defaultPath`, no input. */
  readonly given?: Sample | ((world: World) => Sample | Promise<Sample>);
  readonly answers?: ExpectedOf;
  /** Where to look afterwards and what must be there, which is not there before; refusals read `{ refused: code }`. */
  readonly leaves?: readonly [look: (world: World, called: Called) => unknown, expected: ExpectedOf];
  /** Why an operation that writes leaves nothing that an operation shows. */
  readonly traceless?: string;
}

/** Rows by operation id. */
export type Rows = Readonly<Record<string, Row>>;

/** Expects the input to come back as it was sent. */
export const sent = ({ input }: Called): Expected => input;

/** The answer of an operation that says no more than that it worked. */
export const succeeded = { success: true };

/** A list that holds these, in any order and among others. */
export const holding = (...parts: object[]): Expected =>
  expect.arrayContaining(parts.map((part) => expect.objectContaining(part)));

/** What a look finds where a thing is gone, or was never made. */
export const refused = (code: string) => ({ refused: code });

/** Reads one field of everything on a list's first page. */
export async function pluck<T, Name extends keyof T>(list: Paged<T>, name: Name): Promise<T[Name][]> {
  return (await list.page()).items.map((item) => item[name]);
}

/** Finds a thing on a list's first page by the value of a field. */
export async function find<T>(list: Paged<T>, name: keyof T, value: unknown): Promise<T | undefined> {
  return (await list.page()).items.find((item) => item[name] === value);
}

/** Tells `there` or `gone` of a thing on a list's first page. */
export async function isListed<T>(list: Paged<T>, name: keyof T, value: unknown): Promise<string> {
  return (await find(list, name, value)) === undefined ? "gone" : "there";
}

/** Looks at the message the operation was called for, as the user does who acts by default. */
export const theMessage = ({ chat }: World, { path }: Called) =>
  chat.messages.get(path("id"), { onBehalfOf: "alice" });

type Verb = "create" | "list" | "get" | "update" | "delete";

/** Ids such as `create-role` and `list-roles`. */
export const idsOf = (noun: string): Record<Verb, string> => ({
  create: `create-${noun}`,
  list: `list-${noun}s`,
  get: `get-${noun}`,
  update: `update-${noun}`,
  delete: `delete-${noun}`,
});

export function without(ids: Kept["ids"], ...verbs: Verb[]): Kept["ids"] {
  return Object.fromEntries(Object.entries(ids).filter(([verb]) => !verbs.some((one) => one === verb)));
}

/** What is made, listed, read, changed and deleted. */
interface Kept {
  readonly ids: Partial<Record<Verb, string>>;
  readonly list: (world: World) => Paged<unknown>;
  readonly make: (world: World) => Promise<Sample>;
  /** What `make` makes is shown so. */
  readonly shown: object;
  readonly change?: object;
  /** How it is shown then. Default: with the change. */
  readonly changed?: object;
  /** What is listed before. */
  readonly builtIn?: readonly object[];
  /** The name of its id, where answers hold what the path has. */
  readonly key?: string;
  /** What a change and a deletion answer. */
  readonly updated?: object;
  readonly deleted?: object;
}

/** The rows of a family; what is there is looked for in its list. */
export function kept({ ids, list, make, shown, change = {}, builtIn = [], key, ...more }: Kept): Rows {
  const { changed = { ...shown, ...change }, updated = changed, deleted = succeeded } = more;
  const items = async (world: World) => (await list(world).page()).items;
  const named = (fields: object) =>
    key === undefined ? fields : ({ path }: Called) => ({ ...fields, [key]: path(key) });
  const rows: Record<Verb, Row> = {
    create: { given: { input: shown }, answers: sent, leaves: [items, [...builtIn, shown]] },
    list: { given: after(make), answers: [...builtIn, shown] },
    get: { given: make, answers: named(shown) },
    update: {
      given: withInput(make, change),
      answers: named(updated),
      leaves: [items, [...builtIn, changed]],
    },
    delete: { given: make, answers: named(deleted), leaves: [items, builtIn] },
  };
  return Object.fromEntries(
    verbs.flatMap((verb) => (ids[verb] === undefined ? [] : [[ids[verb], rows[verb]]])),
  );
}

const verbs = ["create", "list", "get", "update", "delete"] as const;
