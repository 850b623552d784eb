/** The last argument of every method. */
export interface RequestOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of a try, in milliseconds. Default: the client's, 10_000. */
  readonly timeoutMs?: number | undefined;
  /**
   * When tries end and none starts, in unix milliseconds, for instance `now() +
   * context.getRemainingTimeInMillis() - 500`.
   */
  readonly deadlineMs?: number | undefined;
  /** Includes the first; 1 disables retries. Default: the client's. */
  readonly maxTries?: number | undefined;
  /** Sent with each try. The client refuses headers that it sets itself. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of an operation that must act as a user. */
export interface MustActOptions extends RequestOptions {
  /** uid of the acting user */
  readonly onBehalfOf: string;
}

/** Options of an operation that acts as a user or as the app. */
export interface MayActOptions extends RequestOptions {
  /** uid of the acting user. Default: the app acts. */
  readonly onBehalfOf?: string | undefined;
}

/** Options of an operation that acts as the app. */
export interface AppOptions extends RequestOptions {
  readonly onBehalfOf?: never;
}

/** Further options of a POST or PATCH. */
export interface CheckOption<Answer> {
  /**
   * Returns the result of an earlier try that was executed, or undefined. A POST or PATCH is then also
   * retried after failures that may have been executed.
   */
  readonly alreadyDone?: (() => Promise<Answer | undefined>) | undefined;
}
