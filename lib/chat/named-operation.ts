/** An operation with named types of input and answer. */
export interface NamedOperation<
  FamilyName,
  Request extends string,
  Input,
  Answer,
  Kind = "single",
  Acting = undefined,
> {
  /** The client's property that has its method. */
  readonly family: FamilyName;
  /** Method and path. */
  readonly request: Request;
  /** Values of the path's parameters, by their names in the path. */
  readonly path: { readonly [Name in ParametersOf<Request>]: Name extends "scope" ? GroupScope : string };
  /** The query of a GET, else the body; undefined if it has neither. */
  readonly input: Input;
  /** Its answer; for a list, one item. */
  readonly answer: Answer;
  /** A list, or one answer. */
  readonly kind: Kind;
  /** Whether it acts as a user; undefined if only the app can act. */
  readonly onBehalfOf: Acting;
}

/** A member's scope in a group. */
export type GroupScope = "admin" | "moderator" | "participant";

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
