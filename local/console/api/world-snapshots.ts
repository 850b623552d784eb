export interface ShownSnapshot {
  readonly name: string;
  /** By the machine's clock, in milliseconds since 1970. */
  readonly savedAtMs: number;
  /** The world's time of then. */
  readonly worldMs: number;
  readonly bytes: number;
  readonly counts: { readonly messages: number; readonly queued: number; readonly running: number };
  /** False for one of another version: it can only be removed. */
  readonly fits: boolean;
}

export interface SnapshotsAnswer {
  readonly snapshots: readonly ShownSnapshot[];
  /** Whether they outlast the process. */
  readonly areKept: boolean;
}
