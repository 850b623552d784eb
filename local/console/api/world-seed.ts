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

/** All 0 before the first load. */
export interface LoadState {
  readonly isRunning: boolean;
  readonly made: { readonly users: number; readonly messages: number };
  readonly wanted: { readonly users: number; readonly messages: number };
  /** From start to end, or so far. */
  readonly tookMs: number;
  readonly error: string | undefined;
}
