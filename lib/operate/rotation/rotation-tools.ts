import type { RotatedThing, StoredFields } from "./rotated-things.ts";
import type { SecretState, SecretVersions } from "./secret-versions.ts";

/** What is particular to a thing that can be rotated. Each may be repeated and die at any point. */
export interface ThingRotation {
  /** Makes a new value, or finds the one that an earlier run made and did not store. */
  make(state: SecretState, versionId: string): Promise<string>;
  /** Sees that the pending value works. @throws RotationError when it does not */
  prove(pending: StoredFields): Promise<void>;
  /** Makes others use it, and waits until none of them uses the old one as a matter of course. */
  switchOver(fields: StoredFields): Promise<void>;
  /**
   * Ends the replaced value where it still counts.
   * @param isLeaked Whether also those end that were made a moment ago, and may be about to be stored.
   */
  retire(replaced: string, current: StoredFields, isLeaked: boolean): Promise<void>;
  /** Proves the value that was given, before anything is changed. Absent: none was given. @throws RotationError if it does not work */
  readonly proveGiven?: ((current: StoredFields) => Promise<void>) | undefined;
  /**
   * Returns whether the value must be replaced at once, whatever else is under way; `replaced`: an earlier run did so, with the value
   * that was given. Absent: never.
   */
  mustReplace?(state: SecretState, isLeaked: boolean): Promise<"replace" | "replaced" | "leave">;
}

export interface RotationTools {
  readonly secret: SecretVersions;
  readonly rotations: Readonly<Record<RotatedThing, ThingRotation>>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Gives ids of new versions: 32 to 64 characters, none twice. */
  readonly newId: () => string;
  /** Hears what is done and waited for. Default: nobody listens. */
  readonly report?: ((progress: RotationProgress) => void) | undefined;
}

/** What is done next, or waited for. */
export type RotationProgress =
  | {
      readonly doing: "make" | "prove" | "switch" | "promote" | "keep" | "retire" | "replace";
      readonly things: readonly RotatedThing[];
    }
  | { readonly doing: "wait"; readonly things: readonly RotatedThing[]; readonly untilMs: number };

export interface RotationWish {
  readonly things: readonly RotatedThing[];
  /** How long what is replaced lives on, in milliseconds. */
  readonly overlapMs: number;
  /** Whether a new rotation begins where none is under way. Default: true. */
  readonly beginsNew?: boolean;
  /** Whether a pending version is brought in. Default: true. */
  readonly bringsIn?: boolean;
  /** What happens to the overlap: it is waited for, left to a later run, or ended at once. Default: left. */
  readonly overlap?: "wait" | "leave" | "end";
  /** The values in use leaked: a new rotation begins also inside an overlap, and ends all others. Goes with `overlap: "end"`. Default: false. */
  readonly isLeaked?: boolean;
  /** Old values that only the previous version has may fall out. Default: false. */
  readonly pushesOut?: boolean;
}
