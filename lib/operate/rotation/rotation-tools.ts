import type { RotatedThing, StoredFields } from "./rotated-things.ts";
import type { SecretState, SecretVersion, SecretVersions } from "./secret-versions.ts";

/** For one kind of value. May be repeated and die at any point. */
export interface ThingRotation {
  /** Or finds a value that an earlier run created and did not store. */
  make(state: SecretState, versionId: string): Promise<string>;
  /** @throws RotationError if the pending value does not work */
  prove(pending: StoredFields): Promise<void>;
  /** Waits until no user of the value regularly uses the old one. */
  switchOver(fields: StoredFields): Promise<void>;
  /** @param isLeaked also ends values that were just created and may be about to be stored */
  retire(replaced: string, current: StoredFields, isLeaked: boolean): Promise<void>;
  /**
   * Before any change. Absent if none was given.
   * @throws RotationError if the value does not work
   */
  readonly proveGiven?: ((current: StoredFields) => Promise<void>) | undefined;
  /**
   * Immediately, regardless of other steps; `replaced`: an earlier run did, with the given value. Absent:
   * never.
   */
  mustReplace?(state: SecretState, isLeaked: boolean): Promise<"replace" | "replaced" | "leave">;
}

export interface RotationTools {
  readonly secret: SecretVersions;
  readonly rotations: Readonly<Record<RotatedThing, ThingRotation>>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Unique: 32 to 64 characters. */
  readonly newId: () => string;
  readonly report?: ((progress: RotationProgress) => void) | undefined;
}

/**
 * A new version with a label that another one had.
 * @throws SecretChangedError if another process moved the label
 */
export async function putVersion(
  { secret, newId }: Pick<RotationTools, "secret" | "newId">,
  label: "AWSCURRENT" | "AWSPENDING",
  from: SecretVersion | undefined,
  fields: StoredFields,
  id = newId(),
): Promise<void> {
  await secret.stage(id, fields);
  await secret.move(label, { from: from?.id, to: id });
}

export type RotationProgress =
  | {
      readonly doing: "make" | "prove" | "switch" | "promote" | "keep" | "retire" | "replace";
      readonly things: readonly RotatedThing[];
    }
  | { readonly doing: "wait"; readonly things: readonly RotatedThing[]; readonly untilMs: number };

export interface RotationWish {
  readonly things: readonly RotatedThing[];
  /** Validity of a replaced value. */
  readonly overlapMs: number;
  /** Default: true. */
  readonly beginsNew?: boolean;
  /** Default: true. */
  readonly bringsIn?: boolean;
  /** Wait for it, leave it to a later run, or end it now. Default: leave. */
  readonly overlap?: "wait" | "leave" | "end";
  /**
   * Begins a new rotation even inside an overlap, and ends all other values. Requires `overlap: "end"`.
   * Default: false.
   */
  readonly isLeaked?: boolean;
  /** May drop old values that only the previous version has. Default: false. */
  readonly pushesOut?: boolean;
}
