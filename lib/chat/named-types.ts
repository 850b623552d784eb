import type * as z from "zod/mini";
import type { NamedOperation } from "./named-operation.ts";
import type { ChangeInput } from "./needs.ts";
import type { ChatFamilies, ManagementFamilies } from "./types/families.ts";
import type { NamedOperations } from "./types/operations.ts";

export interface KnownFamilies extends ChatFamilies, ManagementFamilies {}

/** The named type of a known operation with the same schema, otherwise the inferred one. */
export type Named<
  Id extends string,
  Part extends "input" | "answer",
  Inferred,
> = Id extends keyof NamedOperations
  ? IsSame<Inferred, NamedOperations[Id][Part]> extends true
    ? NamedOperations[Id][Part]
    : Inferred
  : Inferred;

/** Several if they differ. */
export type FamilyNameOf<F extends SomeFamily> = {
  [Name in keyof F]: F[Name]["id"] extends keyof NamedOperations
    ? NamedOperations[F[Name]["id"]]["family"]
    : never;
}[keyof F];

/** All operations belong to one family with an interface. */
export type IsKnownFamily<F extends SomeFamily> = [FamilyNameOf<F>] extends [never]
  ? false
  : IsSame<keyof F, keyof KnownFamilies[FamilyNameOf<F>]> extends true
    ? false extends { [Name in keyof F]: IsKnown<F[Name], FamilyNameOf<F>> }[keyof F]
      ? false
      : true
    : false;

type IsKnown<O extends SomeOperation, FamilyName> = O["id"] extends keyof NamedOperations
  ? IsAs<O, FamilyName, NamedOperations[O["id"]]>
  : false;

type IsAs<O extends SomeOperation, FamilyName, Known extends AnyNamedOperation> = [
  IsSame<InputOf<O>, Known["input"]>,
  IsSame<z.output<ReturnType<O["answer"]>>, Known["answer"]>,
  IsSame<[FamilyName, O["request"], ActingOf<O>, KindOf<O>], FactsOf<Known>>,
] extends [true, true, true]
  ? true
  : false;

type AnyNamedOperation = NamedOperation<unknown, string, unknown, unknown, unknown, unknown>;
type FactsOf<O extends AnyNamedOperation> = [O["family"], O["request"], O["onBehalfOf"], O["kind"]];
type InputOf<O extends SomeOperation> = O extends { readonly input: () => infer S extends z.ZodMiniType }
  ? ChangeInput<O["request"], z.input<S>>
  : undefined;
type ActingOf<O> = O extends { readonly onBehalfOf: infer Acting } ? Acting : undefined;
type KindOf<O> = O extends { readonly paged: string } ? "list" : "single";

/** Mutually assignable, with the same fields, optional ones included. */
export type IsSame<A, B> = IsMutual<A, B> extends true ? IsMutual<Required<A>, Required<B>> : false;

type IsMutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type SomeFamily = Readonly<Record<string, SomeOperation>>;

interface SomeOperation {
  readonly id: string;
  readonly request: string;
  readonly input?: () => z.ZodMiniType;
  readonly answer: () => z.ZodMiniType;
}
