import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  readReplacedKeys,
  rotatedThings,
  rotatingField,
  type StoredFields,
} from "./rotated-things.ts";
import { RotationError } from "./rotation-error.ts";
import type { RotationTools } from "./rotation-tools.ts";
import type { SecretState } from "./secret-versions.ts";

type NewValues = Readonly<Partial<Record<RotatedThing, string>>>;

/** One after the other: the password and the key of one secret. */
export async function makeValues(
  { rotations }: RotationTools,
  things: readonly RotatedThing[],
  state: SecretState,
  versionId: string,
): Promise<NewValues> {
  const values: Partial<Record<RotatedThing, string>> = {};
  for (const thing of things) values[thing] = await rotations[thing].make(state, versionId);
  return values;
}

export function valuesIn(fields: StoredFields, things: readonly RotatedThing[]): NewValues {
  return Object.fromEntries(things.map((thing) => [thing, fieldText(fields, fieldsOf[thing].field) ?? ""]));
}

/**
 * Drops nothing: what this rotation pushes out of the previous version, whose password the receiver accepts,
 * moves to a field with an end.
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
  const brought = things.map((thing) => [fieldsOf[thing].field, values[thing]]);
  return {
    ...state.current.fields,
    ...carried,
    ...Object.fromEntries(brought),
    [rotatingField]: things.join(" "),
  };
}

/** The previous version loses it at the next change. */
export function keepReplaced(
  { current, previous }: SecretState,
  things: readonly RotatedThing[],
  untilMs: number,
): StoredFields {
  const kept = things.flatMap((thing) => {
    const { field, replaced, until } = fieldsOf[thing];
    const old = fieldText(previous?.fields, field);
    if (old === undefined || old === fieldText(current.fields, field)) return [];
    const all = thing === "api-key" ? [...new Set([...readReplacedKeys(current.fields), old.trim()])] : [old];
    return [
      [replaced, all.join(" ")],
      [until, new Date(untilMs).toISOString()],
    ];
  });
  const { [rotatingField]: _rotating, ...fields } = current.fields;
  return { ...fields, ...Object.fromEntries(kept) };
}

/**
 * One replaced value of each kind can be kept.
 * @throws RotationError if a recent manual change's old values may be in use, and no field can keep them
 */
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
  // A secret without a password authenticates nothing. One that an older version made has no key until it is
  // filled in: its password was never used.
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

/** Only the previous version has it, after a recent manual change. */
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
