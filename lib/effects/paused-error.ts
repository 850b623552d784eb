/** Says that an app, a trigger or a flow was paused while it ran; nothing more is begun for it until it goes on. */
export class PausedError extends Error {
  override readonly name = "PausedError";
  /** Nothing left. */
  readonly maybeExecuted = false as const;
  /** Milliseconds since 1970: from then on it is tried again, and found to wait for the end of the pause. */
  readonly retryAtMs: number;

  constructor(appId: string, retryAtMs: number) {
    super(
      `Nothing more is done here for app ${appId}: somebody paused it. It goes on when the pause is over.`,
    );
    this.retryAtMs = retryAtMs;
  }
}
