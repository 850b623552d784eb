import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  RotationError,
  readReplacedKeys,
  readRotating,
  rotateCommand,
  rotatedThings,
  rotatingField,
  type StoredFields,
  takingBackField,
} from "./rotated-things.ts";
import type { RotationTools, SecretState, SecretVersion } from "./secret-versions.ts";

/** May be repeated, and die at any point. */
export type NextStep =
  | { readonly step: "begin" }
  | { readonly step: "bring-in"; readonly things: readonly RotatedThing[]; readonly pending: FilledVersion }
  /** What the current version replaced has no end yet. */
  | { readonly step: "keep-replaced"; readonly things: readonly RotatedThing[] }
  | { readonly step: "unlabel"; readonly versionId: string }
  /** Milliseconds since 1970. */
  | {
      readonly step: "overlap";
      readonly thing: RotatedThing;
      readonly replaced: string;
      readonly untilMs: number;
    };

type FilledVersion = SecretVersion & { readonly fields: NonNullable<SecretVersion["fields"]> };

/**
 * Only from the secret's state, so that a rotation resumes after any crash, and concurrent runs do the same.
 * @param things overlaps of others are ignored
 * @throws RotationError for a pending version that no rotation created, or that is being reverted
 */
export function nextStep(state: SecretState, things: readonly RotatedThing[] = rotatedThings): NextStep {
  const { current, pending } = state;
  if (pending !== undefined && pending.id !== current.id) {
    const { fields = {} } = pending;
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

/** Values stored without an end stay until an operator removes them. */
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

type NewValues = Readonly<Partial<Record<RotatedThing, string>>>;

export async function makeValues(
  { rotations }: RotationTools,
  things: readonly RotatedThing[],
  state: SecretState,
  versionId: string,
  isLeaked = false,
): Promise<NewValues> {
  const values: Partial<Record<RotatedThing, string>> = {};
  for (const thing of things) values[thing] = await rotations[thing].make(state, versionId, isLeaked);
  return values;
}

export function valuesIn(fields: StoredFields, things: readonly RotatedThing[]): NewValues {
  return Object.fromEntries(things.map((thing) => [thing, fieldText(fields, fieldsOf[thing].field) ?? ""]));
}

/**
 * Records what the values replace, without an end: a version of Secrets Manager's own rotation becomes
 * current long after it was made. Also moves the password that leaves the previous version, which the
 * receiver accepts, to a field with an end.
 * @param longestMs how long values that a change of the secret replaced may still be in use
 */
export function fieldsToBringIn(state: SecretState, values: NewValues, longestMs: number): StoredFields {
  const things = rotatedThings.filter((thing) => values[thing] !== undefined);
  const pushedOut = pushedOutPassword(state);
  const carried =
    pushedOut === undefined || things.includes("webhook-password")
      ? {}
      : {
          [fieldsOf["webhook-password"].replaced]: pushedOut,
          [fieldsOf["webhook-password"].until]: new Date(changedAtMs(state) + longestMs).toISOString(),
        };
  const fields: Record<string, unknown> = { ...state.current.fields, ...carried };
  for (const thing of things) {
    const { field, replaced, until } = fieldsOf[thing];
    const old = fieldText(fields, field);
    if (old !== undefined && old !== values[thing]) {
      fields[replaced] = withReplaced(fields, thing, old);
      delete fields[until];
    }
    fields[field] = values[thing];
  }
  return { ...fields, [rotatingField]: things.join(" ") };
}

/** The end of what a rotation replaced. */
export function keepReplaced(
  { current, previous }: SecretState,
  things: readonly RotatedThing[],
  untilMs: number,
): StoredFields {
  const kept = things.flatMap((thing) => {
    const { field, replaced, until } = fieldsOf[thing];
    // Only here if the value was changed since, or an earlier release brought it in.
    const old = fieldText(previous?.fields, field);
    const all =
      old === undefined || old === fieldText(current.fields, field)
        ? fieldText(current.fields, replaced)
        : withReplaced(current.fields, thing, old);
    if (all === undefined) return [];
    return [
      [replaced, all],
      [until, new Date(untilMs).toISOString()],
    ];
  });
  const { [rotatingField]: _rotating, ...fields } = current.fields;
  return { ...fields, ...Object.fromEntries(kept) };
}

/** There is room for several keys, and for one password. */
function withReplaced(fields: StoredFields, thing: RotatedThing, old: string): string {
  return thing === "api-key" ? [...new Set([...readReplacedKeys(fields), old.trim()])].join(" ") : old;
}

/** @throws RotationError if a recent manual change's old values may be in use, and no field can keep them */
export function refuseToPushOut(
  state: SecretState,
  things: readonly RotatedThing[],
  nowMs: number,
  longestMs: number,
): void {
  const { current, previous, arn } = state;
  for (const thing of things) {
    const { replaced, until } = fieldsOf[thing];
    if (fieldText(current.fields, replaced) === undefined || fieldText(current.fields, until) !== undefined)
      continue;
    throw new RotationError(
      "previous-needed",
      `Secret ${arn} keeps an older value in "${replaced}", without an end.`,
      `Take "${replaced}" out of the secret when it is no longer in use, then run this again.`,
    );
  }
  if (previous?.fields === undefined || nowMs - changedAtMs(state) >= longestMs) return;
  // Without a password, a secret authenticates nothing.
  if (fieldText(current.fields, fieldsOf["webhook-password"].field) === undefined) return;
  if ("apiKey" in previous.fields && fieldText(previous.fields, "apiKey") === undefined) return;
  for (const [field, value] of Object.entries(previous.fields)) {
    const isCredential = /(?:Password|^webhookSecret)$/.test(field) && !field.startsWith("replaced");
    if (!isCredential || typeof value !== "string" || value === "" || value === current.fields[field])
      continue;
    const isCarried =
      field === fieldsOf["webhook-password"].field &&
      (value === current.fields[fieldsOf["webhook-password"].replaced] ||
        !things.includes("webhook-password"));
    if (isCarried) continue;
    const at = new Date(changedAtMs(state) + longestMs).toISOString();
    throw new RotationError(
      "previous-needed",
      `"${field}" of secret ${arn} was changed a short while ago, and its old value is accepted until the secret changes again.`,
      `Run this again after ${at}, or with --push-out if the old value is no longer in use.`,
    );
  }
}

function pushedOutPassword({ current, previous }: SecretState): string | undefined {
  const { field, replaced } = fieldsOf["webhook-password"];
  const old = fieldText(previous?.fields, field);
  const inUse = fieldText(current.fields, field);
  const isKnown = inUse === undefined || old === inUse || fieldText(current.fields, replaced) !== undefined;
  return isKnown ? undefined : old;
}

function changedAtMs({ current }: SecretState): number {
  return current.createdAtMs ?? 0;
}
