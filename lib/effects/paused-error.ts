/** Thrown if an app, trigger or flow was paused while it ran. Nothing more starts until it is resumed. */
export class PausedError extends Error {
  override readonly name = "PausedError";
  /** Nothing was sent. */
  readonly maybeExecuted = false as const;
  /** Milliseconds since 1970 of the next try, which then waits for the end of the pause. */
  readonly retryAtMs: number;

  constructor(appId: string, retryAtMs: number) {
    super(`Nothing more is done here for app ${appId}: it is paused. It continues when the pause ends.`);
    this.retryAtMs = retryAtMs;
  }
}
