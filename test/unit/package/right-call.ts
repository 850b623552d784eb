/** A correct call, from which the test makes wrong ones. */
export interface RightCall {
  /** The arguments; a getter where each call needs fresh ones. */
  readonly args: readonly unknown[];
  /** Calls; without it, calls the export itself. The result is awaited. */
  readonly call?: (...args: readonly unknown[]) => unknown;
  /** Places with free names, where misspellings are unknown. */
  readonly free?: readonly string[];
  /** Places that are only checked as a whole. */
  readonly whole?: readonly string[];
}

/** The correct calls of an export. */
export type RightCalls = Readonly<Record<string, RightCall>>;

/** Calls this function. */
export const calling =
  (of: (...args: never[]) => unknown): NonNullable<RightCall["call"]> =>
  (...args) =>
    Reflect.apply(of, undefined, args);
