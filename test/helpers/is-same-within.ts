import type { IsSame } from "../../lib/chat/operation.ts";

/**
 * As `IsSame`, and compares fields within fields, too: otherwise an optional field is not missed. Ignores
 * whether a list is read-only.
 */
export type IsSameWithin<A, B> = [
  IsSame<Writable<A>, Writable<B>>,
  IsSame<AllThere<A>, AllThere<B>>,
] extends [true, true]
  ? true
  : false;

type Writable<T> = T extends object ? { -readonly [Name in keyof T]: Writable<T[Name]> } : T;
type AllThere<T> = T extends object ? { -readonly [Name in keyof T]-?: AllThere<NonNullable<T[Name]>> } : T;
