/** A call that is right, of which the test makes wrong ones. */
export interface RightCall {
  /** The arguments, fresh each time. */
  readonly args: () => readonly unknown[];
  /** Calls; without it, what is exported is called itself. What it gives is waited for. */
  readonly call?: (...args: readonly unknown[]) => unknown;
  /** Which oddities are right in a place, such as `0.tags`, by their names; a place below is one of its own. */
  readonly takes?: Readonly<Record<string, readonly string[]>>;
  /** Places whose names are free: nobody knows which are misspelled. */
  readonly free?: readonly string[];
  /** Places that are looked at as a whole only. */
  readonly whole?: readonly string[];
}

/** Something exported, by the calls that it takes. */
export type RightCalls = Readonly<Record<string, RightCall>>;

/** Any text is right. */
export const anyText = ["text"] as const;
/** Whatever it is. */
export const anything = ["null", "nan", "text", "symbol", "hostile"] as const;
