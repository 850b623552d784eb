import type { Problem } from "../build/bundling.ts";

/** What is wrong with an edit. */
export interface ReloadProblem extends Problem {
  /** The functions that could not be loaded, by their keys in serverless.yml; absent where they could not be built. */
  readonly functionKeys?: readonly string[] | undefined;
  /** Where it was thrown, in files of the source, innermost first. */
  readonly stack?: readonly string[] | undefined;
}

/** What became of the latest edit. */
export interface ReloadState {
  /** `broken`: what could not be renewed runs as it did before. */
  readonly state: "live" | "building" | "broken";
  /** Grows with every edit that something ran by; 1 at the start. */
  readonly revision: number;
  /** From the edit's notice until all was live or found broken; undefined before the first edit, and while building. */
  readonly tookMs: number | undefined;
  /** Those of the latest edit, from the service's folder. */
  readonly changedFiles: readonly string[];
  readonly problems: readonly ReloadProblem[];
  /** What was edited in serverless.yml since the start and is taken up by a new start only, in a few words each. */
  readonly needsRestart: readonly string[];
}

/** Tells of edits, and what became of them. */
export interface Reload {
  state(): ReloadState;
  /** Hears of each state as it comes; gives what ends that. */
  subscribe(listener: (state: ReloadState) => void): () => void;
}

/** What there is to say before the first edit. */
export const unedited: ReloadState = {
  state: "live",
  revision: 1,
  tookMs: undefined,
  changedFiles: [],
  problems: [],
  needsRestart: [],
};

/** What there is to say where nothing is watched. */
export const neverReloads: Reload = {
  state: () => unedited,
  subscribe: () => () => {},
};
