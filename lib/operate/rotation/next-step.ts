import {
  fieldsOf,
  fieldText,
  isBeingTakenBack,
  isRotating,
  type RotatedCredential,
  RotationError,
  readReplacedKeys,
  rotateCommand,
  rotatingField,
  type StoredFields,
} from "./rotated-credentials.ts";
import type { Permit, RotationTools, SecretState, SecretVersion } from "./secret-versions.ts";

export type NextStep =
  | { readonly step: "begin" }
  | { readonly step: "bring-in"; readonly pending: FilledVersion }
  | { readonly step: "keep-replaced" }
  | { readonly step: "unlabel"; readonly versionId: string }
  | ({ readonly step: "overlap" } & Overlap);

export type Overlap = NonNullable<ReturnType<typeof overlapOf>>;

type FilledVersion = SecretVersion & { readonly fields: StoredFields };

/**
 * Decides only from the secret's state, so that a rotation resumes after any crash, and concurrent runs do
 * the same.
 * @throws RotationError for a pending version that no rotation created, or that is being reverted
 */
export function nextStep(state: SecretState, credential: RotatedCredential): NextStep {
  const { current, pending } = state;
  // Secrets Manager's rotation waits for the end of an overlap.
  const isUnread = pending !== undefined && pending.fields === undefined;
  if (pending?.fields !== undefined && pending.id !== current.id) {
    const { fields } = pending;
    if (isBeingTakenBack(fields)) {
      throw new RotationError(
        "somebody-else",
        `The pending version of ${state.arn} is being taken back.`,
        `Run this again in a minute. If no other run is in progress, finish that first: ${rotateCommand("finish --abandon", current.fields)}`,
      );
    }
    if (!isRotating(fields)) throw notOurs(state, pending);
    if (!isInUse(fields, credential, current.fields))
      return { step: "bring-in", pending: { ...pending, fields } };
  }
  if (isRotating(current.fields)) return { step: "keep-replaced" };
  if (pending !== undefined && !isUnread) return { step: "unlabel", versionId: pending.id };
  const overlap = overlapOf(current.fields, credential);
  if (overlap !== undefined) return { step: "overlap", ...overlap };
  if (isUnread) throw notOurs(state, pending);
  return { step: "begin" };
}

const permitMs = 20_000;
/** Includes a read that is 5 s old, and a request carried out 55 s late (lib/chat/send-once.ts). */
export const overtakeMs = permitMs + 60_000;

/** Permits the pending value, or else the current. @throws RotationError if another run changed that */
export function permitWhileWanted({ credential, secret, now }: RotationTools, fields: StoredFields): Permit {
  return async () => {
    const deadlineMs = now() + permitMs;
    const state = await secret.read();
    const { current, pending } = state;
    const wanted = isRotating(pending?.fields) ? pending?.fields : current.fields;
    if (isInUse(fields, credential, wanted ?? {})) return { deadlineMs };
    throw revertedError(state);
  };
}

export function revertedError({ arn, current }: SecretState): RotationError {
  const text = `The new version of ${arn} was reverted, or cannot be read yet.`;
  const hint = `Look at ${rotateCommand("finish --dry-run", current.fields)}, then run this again.`;
  return new RotationError("somebody-else", text, hint);
}

export function isInUse(
  brought: StoredFields,
  credential: RotatedCredential,
  current: StoredFields,
): boolean {
  return valueIn(brought, credential) === valueIn(current, credential);
}

export function valueIn(fields: StoredFields, credential: RotatedCredential): string {
  return fieldText(fields, fieldsOf[credential].field) ?? "";
}

/** Values stored without an end stay until an operator removes them. */
export function overlapOf(fields: StoredFields, credential: RotatedCredential) {
  const replaced = fieldText(fields, fieldsOf[credential].replaced);
  const until = fieldText(fields, fieldsOf[credential].until);
  if (replaced === undefined || until === undefined) return undefined;
  const untilMs = Date.parse(until);
  // The receiver also treats an unparsable end as past.
  return { replaced, untilMs: Number.isNaN(untilMs) ? 0 : untilMs };
}

export function isEmpty(version: SecretVersion | undefined): boolean {
  return version !== undefined && version.createdAtMs === undefined;
}

function notOurs({ arn, current }: SecretState, pending: SecretVersion): RotationError {
  return isEmpty(pending)
    ? new RotationError(
        "somebody-else",
        `Secrets Manager itself is rotating ${arn}: its pending version ${pending.id} has no value yet.`,
        `Wait until it is through. If it failed, withdraw it: ${rotateCommand("finish --abandon", current.fields)}`,
      )
    : new RotationError(
        "unknown-pending",
        `Secret ${arn} has a pending version ${pending.id} that no rotation made.`,
        "Make it the current version or remove its label AWSPENDING, as intended; then run this again.",
      );
}

/**
 * The replaced value gets no end yet: a version of Secrets Manager's own rotation becomes current long after
 * it was made.
 */
export function fieldsToBringIn(
  current: StoredFields,
  credential: RotatedCredential,
  value: string,
  rotating: string = credential,
): StoredFields {
  const { field, replaced, until } = fieldsOf[credential];
  const old = fieldText(current, field);
  if (old === undefined || old === value) return { ...current, [field]: value, [rotatingField]: rotating };
  const { [until]: _until, ...fields } = current;
  return {
    ...fields,
    [field]: value,
    [replaced]: withReplaced(fields, credential, old),
    [rotatingField]: rotating,
  };
}

export function keepReplaced(
  { current, previous }: SecretState,
  credential: RotatedCredential,
  untilMs: number,
): StoredFields {
  const { field, replaced, until } = fieldsOf[credential];
  const { [rotatingField]: _rotating, ...fields } = current.fields;
  // Only here if the value was changed since.
  const old = fieldText(previous?.fields, field);
  const all =
    old === undefined || old === fieldText(fields, field)
      ? fieldText(fields, replaced)
      : withReplaced(fields, credential, old);
  return all === undefined
    ? fields
    : { ...fields, [replaced]: all, [until]: new Date(untilMs).toISOString() };
}

/** Keeps several keys, or one password. */
function withReplaced(fields: StoredFields, credential: RotatedCredential, old: string): string {
  return credential === "api-key" ? [...new Set([...readReplacedKeys(fields), old.trim()])].join(" ") : old;
}

/** @throws RotationError if a recent manual change's old values may be in use, and no field can keep them */
export function refuseToPushOut(
  { current, previous, arn }: SecretState,
  credential: RotatedCredential,
  nowMs: number,
  longestMs: number,
): void {
  const { replaced, until } = fieldsOf[credential];
  const isKept =
    fieldText(current.fields, replaced) !== undefined && fieldText(current.fields, until) === undefined;
  if (isKept && !isRotating(current.fields)) {
    throw new RotationError(
      "previous-needed",
      `Secret ${arn} keeps an older value in "${replaced}", without an end.`,
      `When it is no longer in use, take "${replaced}" out of the secret and run this again, or run ${rotateCommand(`${credential} --push-out`, current.fields)}.`,
    );
  }
  const changedAtMs = current.createdAtMs ?? 0;
  // The receiver accepts the values of the previous version.
  if (credential === "api-key" || previous?.fields === undefined || nowMs - changedAtMs >= longestMs) return;
  // A secret without a password authenticates nothing.
  if (valueIn(current.fields, credential) === "") return;
  for (const [field, value] of Object.entries(previous.fields)) {
    const isCredential = /(?:Password|^webhookSecret)$/.test(field) && !field.startsWith("replaced");
    if (!isCredential || typeof value !== "string" || value === "" || value === current.fields[field])
      continue;
    const at = new Date(changedAtMs + longestMs).toISOString();
    throw new RotationError(
      "previous-needed",
      `"${field}" of secret ${arn} was changed a short while ago, and its old value is accepted until the secret changes again.`,
      `Run this again after ${at}, or with --push-out if the old value is no longer in use.`,
    );
  }
}
