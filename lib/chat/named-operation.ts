export interface NamedOperation<
  FamilyName,
  Request extends string,
  Input,
  Answer,
  Kind = "single",
  Acting = undefined,
> {
  readonly family: FamilyName;
  readonly request: Request;
  readonly path: { readonly [Name in ParametersOf<Request>]: Name extends "scope" ? GroupScope : string };
  /** The query of a GET, else the body. */
  readonly input: Input;
  /** One item of a list, or the answer. */
  readonly answer: Answer;
  readonly kind: Kind;
  /** Undefined if only the app can act. */
  readonly onBehalfOf: Acting;
}

/** A member's scope in a group. */
export type GroupScope = "admin" | "moderator" | "participant";

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
