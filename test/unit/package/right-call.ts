/** A call that is right, of which the test makes wrong ones. */
export interface RightCall {
  /** The arguments; a getter where each call needs fresh ones. */
  readonly args: readonly unknown[];
  /** Calls; without it, what is exported is called itself. What it gives is waited for. */
  readonly call?: (...args: readonly unknown[]) => unknown;
  /** Places whose names are free: nobody knows which are misspelled. */
  readonly free?: readonly string[];
  /** Places that are looked at as a whole only. */
  readonly whole?: readonly string[];
}

/** Something exported, by the calls that it takes. */
export type RightCalls = Readonly<Record<string, RightCall>>;

/** Calls this function. */
export const calling =
  (of: (...args: never[]) => unknown): NonNullable<RightCall["call"]> =>
  (...args) =>
    Reflect.apply(of, undefined, args);
