/** What an app holds, in numbers. */
export interface AppContents {
  readonly users: number;
  readonly groups: number;
  readonly members: number;
  readonly conversations: number;
  readonly messages: number;
  readonly deliveries: number;
}

/** What `GET /api/world/seed/{appId}` answers. */
export interface SeedAnswer {
  readonly contents: AppContents;
  readonly load: LoadState;
}

/** How far the making of users and messages has come; all 0 before the first one. */
export interface LoadState {
  readonly isRunning: boolean;
  readonly made: { readonly users: number; readonly messages: number };
  readonly wanted: { readonly users: number; readonly messages: number };
  /** Milliseconds since it began, until it ended. */
  readonly tookMs: number;
  /** Why it ended before it was done. */
  readonly error: string | undefined;
}
