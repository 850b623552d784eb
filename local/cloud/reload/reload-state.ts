import type { Problem } from "../build/bundling.ts";

export interface ReloadProblem extends Problem {
  readonly functionKeys?: readonly string[] | undefined;
  readonly stack?: readonly string[] | undefined;
}

export interface ReloadState {
  /** `broken`: the previous code still runs. */
  readonly state: "live" | "building" | "broken";
  /** What serverless.yml and config/ set follows. */
  readonly isPartial: boolean;
  readonly revision: number;
  /** Undefined before the first edit and while building. */
  readonly tookMs: number | undefined;
  readonly changedFiles: readonly string[];
  readonly problems: readonly ReloadProblem[];
  readonly needsRestart: readonly string[];
}

export interface Reload {
  state(): ReloadState;
  subscribe(listener: (state: ReloadState) => void): () => void;
}

export const unedited: ReloadState = {
  state: "live",
  isPartial: false,
  revision: 1,
  tookMs: undefined,
  changedFiles: [],
  problems: [],
  needsRestart: [],
};

/** State of a stack that watches no files. */
export const noReload: Reload = {
  state: () => unedited,
  subscribe: () => () => {},
};
