import type { RotatedThing, StoredFields } from "./rotated-things.ts";
import type { SecretState, SecretVersions } from "./secret-versions.ts";

/** The operations of one kind of rotated value. Each may be repeated and die at any point. */
export interface ThingRotation {
  /** Creates a new value, or finds one that an earlier run created and did not store. */
  make(state: SecretState, versionId: string): Promise<string>;
  /** Checks that the pending value works. @throws RotationError if it does not */
  prove(pending: StoredFields): Promise<void>;
  /** Switches users of the value to it, and waits until none regularly uses the old one. */
  switchOver(fields: StoredFields): Promise<void>;
  /**
   * Ends the replaced value if it is still valid.
   * @param isLeaked also ends values that were just created and may be about to be stored
   */
  retire(replaced: string, current: StoredFields, isLeaked: boolean): Promise<void>;
  /**
   * Checks the given value before any change. Absent if none was given. @throws RotationError if it does not
   * work
   */
  readonly proveGiven?: ((current: StoredFields) => Promise<void>) | undefined;
  /**
   * Returns whether the value must be replaced immediately, regardless of other steps; `replaced`: an earlier
   * run did so with the given value. Absent: never.
   */
  mustReplace?(state: SecretState, isLeaked: boolean): Promise<"replace" | "replaced" | "leave">;
}

export interface RotationTools {
  readonly secret: SecretVersions;
  readonly rotations: Readonly<Record<RotatedThing, ThingRotation>>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns unique ids for new versions: 32 to 64 characters. */
  readonly newId: () => string;
  /** Called with progress and waits. */
  readonly report?: ((progress: RotationProgress) => void) | undefined;
}

/** The next action, or the current wait. */
export type RotationProgress =
  | {
      readonly doing: "make" | "prove" | "switch" | "promote" | "keep" | "retire" | "replace";
      readonly things: readonly RotatedThing[];
    }
  | { readonly doing: "wait"; readonly things: readonly RotatedThing[]; readonly untilMs: number };

export interface RotationWish {
  readonly things: readonly RotatedThing[];
  /** How long a replaced value stays valid, in milliseconds. */
  readonly overlapMs: number;
  /** Begins a new rotation if none is in progress. Default: true. */
  readonly beginsNew?: boolean;
  /** Brings in a pending version. Default: true. */
  readonly bringsIn?: boolean;
  /**
   * What to do with the overlap: wait for it, leave it to a later run, or end it immediately. Default: leave.
   */
  readonly overlap?: "wait" | "leave" | "end";
  /**
   * The values in use leaked: begins a new rotation even inside an overlap, and ends all others. Requires
   * `overlap: "end"`. Default: false.
   */
  readonly isLeaked?: boolean;
  /** Allows dropping old values that only the previous version has. Default: false. */
  readonly pushesOut?: boolean;
}
