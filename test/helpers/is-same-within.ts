import type { IsSame } from "../../lib/chat/operation.ts";

/**
 * As `IsSame`, and compares fields within fields, too: a field that may be left out is otherwise not missed. Whether a list
 * may be written to makes no difference.
 */
export type IsSameWithin<A, B> = [
  IsSame<Writable<A>, Writable<B>>,
  IsSame<AllThere<A>, AllThere<B>>,
] extends [true, true]
  ? true
  : false;

type Writable<T> = T extends object ? { -readonly [Name in keyof T]: Writable<T[Name]> } : T;
type AllThere<T> = T extends object ? { -readonly [Name in keyof T]-?: AllThere<NonNullable<T[Name]>> } : T;
