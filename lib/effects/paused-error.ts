/** Thrown if an app, trigger or flow was paused while it ran. Nothing more starts until it is resumed. */
export class PausedError extends Error {
  override readonly name = "PausedError";
  /** Nothing was sent. */
  readonly maybeExecuted = false as const;
  /** Milliseconds since 1970 of the next try, which then waits for the end of the pause. */
  readonly retryAtMs: number;

  constructor(appId: string, retryAtMs: number) {
    super(
      `Nothing more is done here for app ${appId}: somebody paused it. It goes on when the pause is over.`,
    );
    this.retryAtMs = retryAtMs;
  }
}
