/** What every method accepts last. */
export interface RequestOptions {
  /** Ends the request; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time for one try, in milliseconds. Default: the client's, 10_000. */
  readonly timeoutMs?: number | undefined;
  /** Moment (unix milliseconds) after which no try is started or goes on, for instance `now() + context.getRemainingTimeInMillis() - 500`. */
  readonly deadlineMs?: number | undefined;
  /** Tries of this call, the first included; 1 means that nothing is repeated, whatever comes. Default: the client's. */
  readonly maxTries?: number | undefined;
  /** Headers of one's own that go along with each try; those that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of an operation that acts as a user: they are named. */
export interface MustActOptions extends RequestOptions {
  /** uid of the acting user */
  readonly onBehalfOf: string;
}

/** Options of an operation that acts as a user or as the app. */
export interface MayActOptions extends RequestOptions {
  /** uid of the acting user; absent: the app acts */
  readonly onBehalfOf?: string | undefined;
}

/** Options of an operation that the app itself does. */
export interface AppOptions extends RequestOptions {
  readonly onBehalfOf?: never;
}

/** What a POST or PATCH accepts besides. */
export interface CheckOption<Answer> {
  /**
   * Looks whether an earlier try was carried out after all and answers its result, else undefined. With it, a POST or
   * PATCH is tried again also after failures that leave this open.
   */
  readonly alreadyDone?: (() => Promise<Answer | undefined>) | undefined;
}
