import type { Problem } from "../build/bundling.ts";

export interface ReloadProblem extends Problem {
  /** Could not be loaded; undefined if they could not be built. */
  readonly functionKeys?: readonly string[] | undefined;
  /** In files of the source, innermost first. */
  readonly stack?: readonly string[] | undefined;
}

export interface ReloadState {
  /** `broken`: what could not be reloaded runs as before. */
  readonly state: "live" | "building" | "broken";
  /** Grows with every applied edit; 1 at the start. */
  readonly revision: number;
  /** From the notice of the edit until its outcome; undefined before the first edit and while building. */
  readonly tookMs: number | undefined;
  /** Relative to the service's folder. */
  readonly changedFiles: readonly string[];
  readonly problems: readonly ReloadProblem[];
  /** Edits of serverless.yml since the start, in a few words each. */
  readonly needsRestart: readonly string[];
}

/** Reports edits and their outcomes. */
export interface Reload {
  state(): ReloadState;
  /** Calls `listener` with each new state. Returns what stops it. */
  subscribe(listener: (state: ReloadState) => void): () => void;
}

export const unedited: ReloadState = {
  state: "live",
  revision: 1,
  tookMs: undefined,
  changedFiles: [],
  problems: [],
  needsRestart: [],
};

/** For a stack that watches no files. */
export const neverReloads: Reload = {
  state: () => unedited,
  subscribe: () => () => {},
};
