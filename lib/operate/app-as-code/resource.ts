import * as z from "zod/mini";
import { OwnError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { ChatClientBase } from "../../chat/compose.ts";
import type { ManagementClient } from "../../chat/management/management-client.ts";
import type { RequestOptions } from "../../chat/request-options.ts";
import { canonicalText } from "../../events/canonical-text.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface AbsentResource {
  readonly kind: string;
  readonly id: string;
}

export interface WantedResource extends AbsentResource {
  readonly fields: Fields;
}

export interface DeclaredApp {
  readonly wanted: readonly WantedResource[];
  readonly absent: readonly AbsentResource[];
}

export interface FoundResource {
  readonly id: string;
  readonly fields: Fields;
  /** The platform created it, and nothing has changed it since. */
  readonly isUntouched?: boolean;
  /** The platform's id, where `id` is a name, which several resources can have. */
  readonly ownId?: string;
  /** The number of resources with this `id`, if several: the fields are the oldest's. */
  readonly twins?: number;
}

export interface FieldRule {
  /** The platform does not always show it: a missing value proves nothing. */
  readonly isSilent?: boolean;
  /** Written at creation and with another address; else only with `writesUnknown`. */
  readonly isOnce?: boolean;
  /** `set`: unordered. `members`: unordered, one request each. Default: ordered. */
  readonly list?: "set" | "members";
  /** The object may have no other field. */
  readonly isWhole?: boolean;
  /** Keys of a tool's parameters are no secrets. */
  readonly isOpen?: boolean;
  readonly isFixed?: boolean;
}

export interface AppApis {
  readonly appId: string;
  readonly chat: Pick<ChatClientBase, "call" | "using">;
  readonly management:
    | { readonly [Family in keyof ManagementClient]: Unchecked<ManagementClient[Family]> }
    | undefined;
  readonly request: Pick<RequestOptions, "deadlineMs" | "signal">;
}

export interface Kind {
  /** In plans: `role`, `moderation rule`. */
  readonly name: string;
  readonly rules?: Readonly<Record<string, FieldRule>>;
  readonly otherRule?: FieldRule;
  readonly required?: readonly string[];
  readonly hasSecrets?: boolean;
  /** The field of the platform's own id, where the declared one is a name. */
  readonly ownId?: string;
  /** A change may lose the fields that it omits: it sends all declared ones. */
  readonly isWrittenWhole?: boolean;
  /** The field with the address that gets the secrets. */
  readonly address?: string;
  /** Fields that name resources of other kinds, by kind. The resources must exist, or be declared. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Undefined if the app's own key does not suffice and other credentials are missing. */
  readonly connect: (apis: AppApis) => KindCalls | undefined;
}

/** Each throws what the client throws, and may be repeated. */
export interface KindCalls {
  /** Lists all, or the named ones if each takes a request. */
  readonly list: (ids: readonly string[] | "all") => Promise<readonly FoundResource[]>;
  readonly find: (id: string) => Promise<FoundResource | undefined>;
  readonly write: (id: string, target: Fields, found: FoundResource | undefined) => Promise<unknown>;
  readonly remove?: (id: string) => Promise<unknown>;
}

export function ruleOf({ rules = {}, otherRule = {} }: Kind, name: string) {
  return rules[name] ?? otherRule;
}

export type Unchecked<Client> = {
  readonly [Name in keyof Client]: Client[Name] extends (...args: infer Args) => infer Result
    ? {
        call(...args: { [Index in keyof Args]: Args[Index] extends string ? string : object }): Result;
      }["call"]
    : never;
};

export interface PlanSwitches {
  /** Allows deleting resources declared absent, and undeclared members of lists. */
  readonly mayDelete: boolean;
  /** Writes declared fields that cannot be compared. */
  readonly writesUnknown: boolean;
}

/** Keeps each key: a record of zod drops `__proto__`. */
export const freeObject = () => z.custom<Fields>(isRecord, "expected keys with values");

export const someText = () => z.string().check(z.minLength(1));

export function pickFields(answer: Fields, names: readonly string[]): Fields {
  const picked = names.map((name) => [name, answer[name]] as const);
  return Object.fromEntries(picked.filter(([, value]) => value !== undefined && value !== null));
}

/** The platform shows unset fields as an empty text, list or object. */
export function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !fits("", value)));
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.map(String))] : [];
}

export function memberChanges(wanted: unknown, there: unknown) {
  const [target, found] = [new Set(textsOf(wanted)), new Set(textsOf(there))];
  return { added: [...target.difference(found)], gone: [...found.difference(target)] };
}

export async function findEach(ids: readonly string[], find: KindCalls["find"]) {
  const found = await Promise.all(ids.map(find));
  return found.filter((resource) => resource !== undefined);
}

/**
 * Ignores fields that the platform adds to an object. One text equals a list of it
 * (docs/internals/platform/moderation.md#conditions); an empty text, list or object equals a missing one.
 */
function fits(wanted: unknown, found: unknown): boolean {
  if (isEmpty(wanted)) return isEmpty(found);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return wanted.length === 1 && found !== undefined && fits(wanted[0], found);
    return wanted.length === found.length && wanted.every((item, index) => fits(item, found[index]));
  }
  if (Array.isArray(found)) return found.length === 1 && fits(wanted, found[0]);
  if (isRecord(wanted)) {
    return isRecord(found) && Object.entries(wanted).every(([name, value]) => fitsWithin(value, found[name]));
  }
  return (
    wanted === found || (isNumberOrText(wanted) && isNumberOrText(found) && String(wanted) === String(found))
  );
}

export function fitsWhole(wanted: unknown, found: unknown): boolean {
  return fits(wanted, found) && fits(found, wanted);
}

export function fitsAsSet(wanted: unknown, found: unknown): boolean {
  return fits(sorted(wanted), sorted(found));
}

export function comparisonOf({ list, isWhole }: FieldRule): typeof fits {
  if (list !== undefined) return fitsAsSet;
  return isWhole ? fitsWhole : fits;
}

export function differencesOf(
  wanted: unknown,
  found: unknown,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly before: unknown }[] {
  if (!isRecord(wanted) || !isRecord(found)) return [{ path, before: found }];
  return Object.entries(wanted).flatMap(([name, value]) =>
    fitsWithin(value, found[name]) ? [] : differencesOf(value, found[name], [...path, name]),
  );
}

/** An omitted flag within an object is false. */
function fitsWithin(wanted: unknown, found: unknown) {
  return (wanted === false && found === undefined) || fits(wanted, found);
}

function isEmpty(value: unknown) {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

/**
 * The platform returns some numbers as texts (docs/internals/platform/ids-and-limits.md#numbers-as-texts).
 */
function isNumberOrText(value: unknown) {
  return typeof value === "number" || typeof value === "string";
}

function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const byText = new Map(value.map((item: unknown) => [canonicalText(item), item]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

/** All have one id, newest first. A page may repeat one. */
export function oldestOf(resources: readonly FoundResource[]): FoundResource | undefined {
  const oldest = resources.at(-1);
  const twins = new Set(resources.map(({ ownId }) => ownId)).size;
  return oldest && twins > 1 ? { ...oldest, twins } : oldest;
}

export function twinsIn(found: FoundResource | undefined): readonly string[] {
  if (found?.twins === undefined) return [];
  return [`There are ${found.twins} of this name: delete all but one in the dashboard, or all with absent.`];
}

export const theApp = "app";

export function callsPerApp(
  get: () => Promise<Fields>,
  write: (target: Fields, before: Fields) => Promise<unknown>,
): KindCalls {
  const find = async () => ({ id: theApp, fields: await get() });
  return {
    list: async () => [await find()],
    find,
    write: (_id, target, found) => write(target, found?.fields ?? {}),
  };
}

class ItemsRefusedError extends OwnError {
  override readonly name = "ItemsRefusedError";
}

/** @see docs/internals/platform/answers-and-errors.md#results-per-item */
export function requireSuccesses(
  what: string,
  results: Readonly<Record<string, { readonly success: boolean }>> | undefined,
): void {
  const refused = Object.entries(results ?? {}).filter(([, { success }]) => !success);
  if (refused.length === 0) return;
  throw new ItemsRefusedError(
    `The platform refused of the ${what}: ${refused.map(([id]) => id).join(", ")}.`,
  );
}
