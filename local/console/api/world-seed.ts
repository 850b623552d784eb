export interface AppContents {
  readonly users: number;
  readonly groups: number;
  readonly members: number;
  readonly conversations: number;
  readonly messages: number;
  readonly deliveries: number;
}

export interface SeedAnswer {
  readonly contents: AppContents;
  readonly load: LoadState;
}

/** The progress of a load; all 0 before the first one. */
export interface LoadState {
  readonly isRunning: boolean;
  readonly made: { readonly users: number; readonly messages: number };
  readonly wanted: { readonly users: number; readonly messages: number };
  /** Milliseconds from start to end, or so far. */
  readonly tookMs: number;
  readonly error: string | undefined;
}
