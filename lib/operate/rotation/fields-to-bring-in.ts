import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  rotatingField,
  type StoredFields,
} from "./rotated-things.ts";
import { RotationError } from "./rotation-error.ts";
import type { SecretState } from "./secret-versions.ts";

/**
 * Gives the value of a version that brings in new values and drops nothing. Secrets Manager keeps one previous version, and
 * the receiver accepts its password: what this rotation pushes out of it lives on in a field with an end.
 * @param longestMs How long somebody may still use what a change of the secret replaced, in milliseconds.
 */
export function fieldsToBringIn(
  state: SecretState,
  values: Readonly<Partial<Record<RotatedThing, string>>>,
  longestMs: number,
): StoredFields {
  const things = Object.keys(values);
  const pushedOut = pushedOutPassword(state);
  const carried =
    pushedOut === undefined || things.includes("webhook-password")
      ? {}
      : {
          [fieldsOf["webhook-password"].replaced]: pushedOut,
          [fieldsOf["webhook-password"].until]: new Date(changedAtMs(state) + longestMs).toISOString(),
        };
  const brought = Object.entries(values).map(([thing, value]) => [
    thing === "api-key" ? fieldsOf["api-key"].field : fieldsOf["webhook-password"].field,
    value,
  ]);
  return {
    ...state.current.fields,
    ...carried,
    ...Object.fromEntries(brought),
    [rotatingField]: things.join(" "),
  };
}

/**
 * Sees to it that nothing falls out that somebody may still use: of each thing one replaced value can be kept.
 * @throws RotationError when a change by hand was so recent that its old values may be in use, and no field can keep them
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
      `Take "${replaced}" out of the secret when nobody uses it any more, then run this again.`,
    );
  }
  if (previous?.fields === undefined || nowMs - changedAtMs(state) >= longestMs) return;
  if (fieldText(previous.fields, "apiKey") === undefined) return; // it was not filled in yet: nobody was told its password
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
      `Run this again after ${at}, or with --push-out if nobody uses the old value any more.`,
    );
  }
}

/** The password that the previous version alone still has, if the secret was changed by hand lately. */
function pushedOutPassword({ current, previous }: SecretState): string | undefined {
  const { field, replaced } = fieldsOf["webhook-password"];
  const old = previous?.fields === undefined ? undefined : fieldText(previous.fields, field);
  const isKnown =
    old === fieldText(current.fields, field) || fieldText(current.fields, replaced) !== undefined;
  return isKnown ? undefined : old;
}

function changedAtMs({ current }: SecretState): number {
  return current.createdAtMs ?? 0;
}
