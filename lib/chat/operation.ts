import type * as z from "zod/mini";
import type { ChatRequest } from "./chat-request.ts";
import type { GroupScope, NamedOperation } from "./named-operation.ts";
import type { ChangeInput } from "./needs.ts";
import type { Paged } from "./paged.ts";
import type { AppOptions, CheckOption, MayActOptions, MustActOptions } from "./request-options.ts";
import type { Schema } from "./schema.ts";
import type { ChatFamilies, ManagementFamilies } from "./types/families.ts";
import type { NamedOperations } from "./types/operations.ts";

/** One operation as plain data: bundlers drop unused ones. The first call builds the schemas. */
export interface Operation {
  /** The id in the platform's catalogue. */
  readonly id: string;
  /** Path parameters are the method's first arguments, in this order. */
  readonly request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  /** Set if it can act as a user; absent if the platform does not list the header. */
  readonly onBehalfOf?: "required" | "optional";
  /** Goes into the query of a GET, else the body. */
  readonly input?: () => Schema;
  /** Fields sent in the query although the request has a body. */
  readonly inQuery?: readonly string[];
  /** Fields sent in the query as one comma-separated value; others repeat their key. */
  readonly csv?: readonly string[];
  /** Sends multipart/form-data. */
  readonly form?: true;
  /** A list: `page` counts pages, `cursor` follows meta.next, `once` has no next page. */
  readonly paged?: "page" | "cursor" | "once";
  /** The field of `data` with the list; the others become part of `meta`. Default: `data`. */
  readonly items?: string;
  /** Whether newer items have greater ids, so that a list read backwards is newest first. Default: false. */
  readonly growingIds?: true;
  /** Parses `data`; for a list, one item. */
  readonly answer: () => Schema;
  /**
   * The documented form. `one` and `several`: an object that `answer` can parse. `none`: anything except a
   * refusal, even an empty body. A list is always an array. Default: one
   * (docs/internals/platform/answers-and-errors.md#answers-that-are-not-as-documented).
   */
  readonly documented?: "one" | "several" | "none";
  /**
   * Returns an object in an undocumented form unchanged, as a success, because the result cannot be read
   * back. Default: false.
   */
  readonly takesAnyForm?: true;
  /** Maps fields of the next cursor to query fields. Default: all, under their own names. */
  readonly cursor?: Readonly<Record<string, string>>;
  /**
   * Has a smaller budget than the standard one (docs/internals/platform/answers-and-errors.md#rate-limits,
   * docs/internals/platform/import-and-metrics.md#import-limits).
   */
  readonly rateClass?: "core" | "import";
  /** A message: after an unclear outcome, the client looks for it by its `muid`. */
  readonly once?: true;
  /** Sends HTTP Basic in addition to the client's other credentials. */
  readonly basicAuth?: true;
  /** Uses the Calls host. */
  readonly service?: "call";
}

/** Operations of one resource, by method name. */
export type Family = Readonly<Record<string, Operation>>;

/** The methods of a family; for a known family, its interface. */
export type FamilyClient<F extends Family> =
  IsKnownFamily<F> extends true
    ? KnownFamilies[FamilyNameOf<F>]
    : { readonly [Name in keyof F]: Method<F[Name]> };

/** Calls one operation. */
export type Method<O extends Operation> = (...args: ArgumentsOf<O>) => Result<O>;

export type ArgumentsOf<O extends Operation> = [
  ...PathArguments<O["request"]>,
  ...InputArgument<O>,
  ...OptionsArgument<O>,
];

/** Calls any operation, given as an imported value. */
export interface CallOperation {
  /** Throws like ChatRequest. The operation's method documents whether it may be repeated. */
  <O extends SingleOperation>(operation: O, ...args: ArgumentsOf<O>): ChatRequest<AnswerOf<O>>;
  /** Throws like Paged. May be repeated. */
  <O extends ListOperation>(operation: O, ...args: ArgumentsOf<O>): Paged<AnswerOf<O>>;
}

export type ListOperation = Operation & { readonly paged: string };

export type SingleOperation = Operation & { readonly paged?: never };

/** The answer, or one item of a list. */
export type AnswerOf<O extends Operation> = Named<O["id"], "answer", z.output<ReturnType<O["answer"]>>>;

type Result<O extends Operation> = O extends { paged: string }
  ? Paged<AnswerOf<O>>
  : ChatRequest<AnswerOf<O>>;

type OptionsArgument<O extends Operation> = O extends { onBehalfOf: "required" }
  ? [options: OptionsOf<O, MustActOptions>]
  : O extends { onBehalfOf: "optional" }
    ? [options?: OptionsOf<O, MayActOptions>]
    : [options?: OptionsOf<O, AppOptions>];

type OptionsOf<O extends Operation, Options> = O["request"] extends `${"POST" | "PATCH"} ${string}`
  ? Options & CheckOption<AnswerOf<O>>
  : Options;

type InputArgument<O extends Operation> = O extends { input: () => infer S extends Schema }
  ? O extends { onBehalfOf: "required" }
    ? [input: InputOf<O, S>]
    : O["request"] extends `${"PUT" | "PATCH"} ${string}`
      ? [input: InputOf<O, S>]
      : Record<never, never> extends z.input<S>
        ? [input?: InputOf<O, S>]
        : [input: InputOf<O, S>]
  : [];

type InputOf<O extends Operation, S extends Schema> = Named<
  O["id"],
  "input",
  ChangeInput<O["request"], z.input<S>>
>;

type PathArguments<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends "scope" ? [scope: GroupScope] : [id: string]), ...PathArguments<Rest>]
  : [];

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

type FamilyNameOf<F extends SomeFamily> = {
  [Name in keyof F]: F[Name]["id"] extends keyof NamedOperations
    ? NamedOperations[F[Name]["id"]]["family"]
    : never;
}[keyof F];

/** Whether all operations belong to one family with an interface. */
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
  IsSame<PlainInputOf<O>, Known["input"]>,
  IsSame<z.output<ReturnType<O["answer"]>>, Known["answer"]>,
  IsSame<[FamilyName, O["request"], ActingOf<O>, KindOf<O>], FactsOf<Known>>,
] extends [true, true, true]
  ? true
  : false;

type AnyNamedOperation = NamedOperation<unknown, string, unknown, unknown, unknown, unknown>;
type FactsOf<O extends AnyNamedOperation> = [O["family"], O["request"], O["onBehalfOf"], O["kind"]];
type PlainInputOf<O extends SomeOperation> = O extends { readonly input: () => infer S extends z.ZodMiniType }
  ? ChangeInput<O["request"], z.input<S>>
  : undefined;
type ActingOf<O> = O extends { readonly onBehalfOf: infer Acting } ? Acting : undefined;
type KindOf<O> = O extends { readonly paged: string } ? "list" : "single";

/** True if mutually assignable, with the same fields, optional ones included. */
export type IsSame<A, B> = IsMutual<A, B> extends true ? IsMutual<Required<A>, Required<B>> : false;

type IsMutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type SomeFamily = Readonly<Record<string, SomeOperation>>;

interface SomeOperation {
  readonly id: string;
  readonly request: string;
  readonly input?: () => z.ZodMiniType;
  readonly answer: () => z.ZodMiniType;
}
