import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  readRotating,
  rotatedThings,
  type StoredFields,
  takingBackField,
} from "./rotated-things.ts";
import { RotationError, rotateCommand } from "./rotation-error.ts";
import type { SecretState, SecretVersion } from "./secret-versions.ts";

/** May be repeated, and die at any point. */
export type NextStep =
  | { readonly step: "begin" }
  /** To be proven, switched to and made current. */
  | { readonly step: "bring-in"; readonly things: readonly RotatedThing[]; readonly pending: FilledVersion }
  /** Only the previous version has what the current one replaced. */
  | { readonly step: "keep-replaced"; readonly things: readonly RotatedThing[] }
  /** Still on a finished version. */
  | { readonly step: "unlabel"; readonly versionId: string }
  /** Milliseconds since 1970. */
  | {
      readonly step: "overlap";
      readonly thing: RotatedThing;
      readonly replaced: string;
      readonly untilMs: number;
    };

export type FilledVersion = SecretVersion & { readonly fields: NonNullable<SecretVersion["fields"]> };

/**
 * Only from the secret's state: a rotation resumes after a crash at any line, and concurrent runs do the
 * same.
 * @param things what to rotate: overlaps of others are ignored
 * @throws RotationError for a pending version that no rotation created, or that is being reverted
 */
export function nextStep(state: SecretState, things: readonly RotatedThing[] = rotatedThings): NextStep {
  const { current, pending } = state;
  if (pending !== undefined && pending.id !== current.id) {
    const { fields } = pending;
    if (fields === undefined) throw notOurs(state, pending);
    if (readRotating(fields, takingBackField).length > 0) throw isTakenBack(state);
    const rotating = readRotating(fields);
    if (rotating.length === 0) throw notOurs(state, pending);
    if (!isInUse(fields, rotating, current.fields))
      return { step: "bring-in", things: rotating, pending: { ...pending, fields } };
  }
  const promoted = readRotating(current.fields);
  if (promoted.length > 0) return { step: "keep-replaced", things: promoted };
  if (pending !== undefined) return { step: "unlabel", versionId: pending.id };
  const [overlap] = overlapsOf(current.fields, things).toSorted((one, other) => one.untilMs - other.untilMs);
  return overlap ?? { step: "begin" };
}

export function isInUse(
  brought: StoredFields,
  things: readonly RotatedThing[],
  current: StoredFields,
): boolean {
  return things.every((thing) => {
    const { field } = fieldsOf[thing];
    return fieldText(brought, field) === fieldText(current, field);
  });
}

/** Values stored by an operator without an end stay until the operator removes them. */
export function overlapsOf(
  fields: FilledVersion["fields"],
  things: readonly RotatedThing[] = rotatedThings,
): readonly Extract<NextStep, { step: "overlap" }>[] {
  return things.flatMap((thing) => {
    const replaced = fieldText(fields, fieldsOf[thing].replaced);
    const until = fieldText(fields, fieldsOf[thing].until);
    if (replaced === undefined || until === undefined) return [];
    const untilMs = Date.parse(until);
    // As the receiver: an unparsable end is past.
    return [{ step: "overlap" as const, thing, replaced, untilMs: Number.isNaN(untilMs) ? 0 : untilMs }];
  });
}

function isTakenBack({ arn, current }: SecretState): RotationError {
  return new RotationError(
    "somebody-else",
    `The pending version of ${arn} is being taken back.`,
    `Run this again in a minute. If no other run is in progress, finish that first: ${rotateCommand("finish --abandon", current.fields)}`,
  );
}

function notOurs({ arn }: SecretState, pending: SecretVersion): RotationError {
  return pending.createdAtMs === undefined
    ? new RotationError(
        "somebody-else",
        `Secrets Manager itself is rotating ${arn}: its pending version ${pending.id} has no value yet.`,
        "Wait until it is through; if it failed, `aws secretsmanager cancel-rotate-secret` and remove the label AWSPENDING.",
      )
    : new RotationError(
        "unknown-pending",
        `Secret ${arn} has a pending version ${pending.id} that no rotation made.`,
        "Make it the current version or remove its label AWSPENDING, as intended; then run this again.",
      );
}
