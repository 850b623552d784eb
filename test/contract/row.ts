import { expect } from "vitest";
import type { Paged } from "../../lib/chat/paged.ts";
import { after, type Sample, type World, withInput } from "./prepare.ts";

/** An operation's arguments; `path` returns a value of the path and throws for an unknown one. */
export interface Called {
  readonly path: (name: string) => string;
  readonly input: object;
}

/** A part of an object, a whole list, or a plain value. Lists must match exactly. */
export type Expected = object | string | number | boolean;
type ExpectedOf = Expected | ((called: Called) => Expected);

/** One operation: its arguments, its required answer, and the platform's required data afterwards. */
export interface Row {
  /** Its arguments, once its data exists. Default: the values of `defaultPath`, no input. */
  readonly given?: Sample | ((world: World) => Sample | Promise<Sample>);
  readonly answers?: ExpectedOf;
  /**
   * The reads afterwards and their required results, which differ before; refusals read `{ refused: code }`.
   */
  readonly leaves?: readonly [look: (world: World, called: Called) => unknown, expected: ExpectedOf];
  /** Why a writing operation has no effect that an operation shows. */
  readonly traceless?: string;
}

/** Rows by operation id. */
export type Rows = Readonly<Record<string, Row>>;

/** Expects the input to be returned unchanged. */
export const sent = ({ input }: Called): Expected => input;

/** The answer of an operation that only reports success. */
export const succeeded = { success: true };

export const named = (fields: object) => (called: Called) => ({ ...fields, id: called.path("id") });

/** A list that contains these, in any order, besides other items. */
export const holding = (...parts: object[]): Expected =>
  expect.arrayContaining(parts.map((part) => expect.objectContaining(part)));

/** A read's result for a deleted or never created resource. */
export const refused = (code: string) => ({ refused: code });

/** Reads one field of each item on a list's first page. */
export async function pluck<T, Name extends keyof T>(list: Paged<T>, name: Name): Promise<T[Name][]> {
  return (await list.page()).items.map((item) => item[name]);
}

/** Finds an item on a list's first page by the value of a field. */
export async function find<T>(list: Paged<T>, name: keyof T, value: unknown): Promise<T | undefined> {
  return (await list.page()).items.find((item) => item[name] === value);
}

/** Returns `there` or `gone` for an item on a list's first page. */
export async function isListed<T>(list: Paged<T>, name: keyof T, value: unknown): Promise<string> {
  return (await find(list, name, value)) === undefined ? "gone" : "there";
}

/** Reads the message of the operation, as the default acting user. */
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

/** Create, list, read, change and delete. */
interface Kept {
  readonly ids: Partial<Record<Verb, string>>;
  readonly list: (world: World) => Paged<unknown>;
  readonly make: (world: World) => Promise<Sample>;
  /** How created data is shown. */
  readonly shown: object;
  readonly change?: object;
  /** The data shown then. Default: with the change. */
  readonly changed?: object;
  /** The items listed before. */
  readonly builtIn?: readonly object[];
  /** The name of its id in answers, if the path has it. */
  readonly key?: string;
  /** The answers of a change and a deletion. */
  readonly updated?: object;
  readonly deleted?: object;
}

/** The rows of a family; its list shows the existing items. */
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
