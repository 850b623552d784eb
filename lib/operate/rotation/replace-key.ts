import { fieldsToBringIn, keepReplaced, refuseToPushOut } from "./next-step.ts";
import {
  fieldsOf,
  fieldText,
  readReplacedKeys,
  readRotating,
  rotatingField,
  type StoredFields,
} from "./rotated-things.ts";
import { putVersion, type RotationTools, type RotationWish, type SecretState } from "./secret-versions.ts";

const { field, replaced, until } = fieldsOf["api-key"];

/**
 * With one move of a label: a dead key must be replaceable at any time. Withdraws a pending key, keeps a
 * pending password. May be repeated, and die at any point.
 * @throws RotationError, SecretChangedError, and what the platform and Secrets Manager's calls throw
 */
export async function replaceKey(
  tools: RotationTools,
  { overlapMs, pushesOut = false, isLeaked = false }: RotationWish,
  state: SecretState,
): Promise<void> {
  const { rotations, newId, now } = tools;
  if (!pushesOut) refuseToPushOut(state, ["api-key"], now(), overlapMs);
  const id = newId();
  const value = await rotations["api-key"].make(state, id, isLeaked);
  await rotations["api-key"].prove({ ...state.current.fields, [field]: value });
  await withdrawPendingKey(tools, state);
  const promoted = readRotating(state.current.fields);
  const kept = keepReplaced(state, promoted, now() + overlapMs);
  const current = { ...state.current, fields: kept };
  const { [rotatingField]: _rotating, ...fields } = fieldsToBringIn(
    { ...state, current },
    { "api-key": value },
    overlapMs,
  );
  const others = storedKeys({ ...state, current }, isLeaked).filter((key) => key !== value);
  const replacing = {
    ...fields,
    ...(others.length > 0 && {
      [replaced]: others.join(" "),
      [until]: new Date(now() + (isLeaked ? 0 : overlapMs)).toISOString(),
    }),
  };
  await putVersion(tools, "AWSCURRENT", state.current, replacing, id);
  // No other step looks for created keys that are not stored.
  if (isLeaked && others.length === 0)
    await rotations["api-key"].retire("", { ...fields, [field]: value }, true);
}

/**
 * The one in use first. Includes the previous version's if a rotation replaced it and has not recorded that.
 */
export function storedKeys(
  { current, pending, previous }: SecretState,
  withPrevious: boolean,
): readonly string[] {
  const isKept = withPrevious || readRotating(current.fields).includes("api-key");
  const keys = [
    fieldText(current.fields, field),
    ...readReplacedKeys(current.fields),
    pendingKeyOf(pending?.fields),
    ...(isKept ? [fieldText(previous?.fields, field)] : []),
  ];
  return [...new Set(keys.flatMap((key) => key?.trim() ?? []))];
}

export function pendingKeyOf(fields: StoredFields = {}): string | undefined {
  return readRotating(fields).includes("api-key") ? fieldText(fields, field) : undefined;
}

async function withdrawPendingKey(tools: RotationTools, { pending }: SecretState): Promise<void> {
  if (pending?.fields === undefined || pendingKeyOf(pending.fields) === undefined) return;
  const others = readRotating(pending.fields).filter((thing) => thing !== "api-key");
  if (others.length === 0) return tools.secret.move("AWSPENDING", { from: pending.id });
  await putVersion(tools, "AWSPENDING", pending, { ...pending.fields, [rotatingField]: others.join(" ") });
}
