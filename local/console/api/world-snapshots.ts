export interface ShownSnapshot {
  readonly name: string;
  /** The machine's clock; milliseconds since 1970. */
  readonly savedAtMs: number;
  /** The local stack's time. */
  readonly worldMs: number;
  readonly bytes: number;
  readonly counts: { readonly messages: number; readonly queued: number; readonly running: number };
  /** False for another version's: it can only be removed. */
  readonly fits: boolean;
}

export interface SnapshotsAnswer {
  readonly snapshots: readonly ShownSnapshot[];
  /** Whether they are kept after the process ends. */
  readonly areKept: boolean;
}
