/** The last argument of every method. */
export interface RequestOptions {
  /** Aborts the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time per try, in milliseconds. Default: the client's, 10_000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time (unix milliseconds) at which tries end and none starts, for instance `now() +
   * context.getRemainingTimeInMillis() - 500`.
   */
  readonly deadlineMs?: number | undefined;
  /** Maximum tries of this call, the first included; 1 disables retries. Default: the client's. */
  readonly maxTries?: number | undefined;
  /** Additional headers for each try. Headers that the client sets are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of an operation that acts as a user, which is required. */
export interface MustActOptions extends RequestOptions {
  /** uid of the acting user */
  readonly onBehalfOf: string;
}

/** Options of an operation that acts as a user or as the app. */
export interface MayActOptions extends RequestOptions {
  /** uid of the acting user; without it, the app acts */
  readonly onBehalfOf?: string | undefined;
}

/** Options of an operation that acts as the app. */
export interface AppOptions extends RequestOptions {
  readonly onBehalfOf?: never;
}

/** Further options of a POST or PATCH. */
export interface CheckOption<Answer> {
  /**
   * Checks whether an earlier try was executed, and returns its result or undefined. With it, a POST or PATCH
   * is also retried after failures that may have been executed.
   */
  readonly alreadyDone?: (() => Promise<Answer | undefined>) | undefined;
}
