export interface ReloadAnswer {
  readonly state: "live" | "building" | "broken";
  readonly isPartial: boolean;
  /** 1 before the first edit. */
  readonly revision: number;
  readonly tookMs?: number | undefined;
  readonly changedFiles: readonly string[];
  readonly problems: readonly ReloadProblemAnswer[];
  /** Changes that need a restart. */
  readonly needsRestart: readonly string[];
}

export interface ReloadProblemAnswer {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly text: string;
  readonly lineText?: string | undefined;
  readonly functionKeys?: readonly string[] | undefined;
  readonly stack?: readonly string[] | undefined;
}
