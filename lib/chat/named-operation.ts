/** An operation as people read it: what it takes and answers under names of their own. */
export interface NamedOperation<
  FamilyName,
  Request extends string,
  Input,
  Answer,
  Kind = "single",
  Acting = undefined,
> {
  /** The client's property with its method. */
  readonly family: FamilyName;
  /** Method and path. */
  readonly request: Request;
  /** Values of the path's parameters, by the names the path has for them. */
  readonly path: { readonly [Name in ParametersOf<Request>]: Name extends "scope" ? GroupScope : string };
  /** The query of a GET, else the body; undefined where it takes neither. */
  readonly input: Input;
  /** What it answers; of a list, one item. */
  readonly answer: Answer;
  /** A list, or one answer. */
  readonly kind: Kind;
  /** Whether it acts as a user; undefined where only the app can. */
  readonly onBehalfOf: Acting;
}

/** What a member may be in a group. */
export type GroupScope = "admin" | "moderator" | "participant";

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
