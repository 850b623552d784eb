import { keepReplaced, refuseToPushOut } from "./next-step.ts";
import {
  fieldsOf,
  fieldText,
  isRotating,
  readReplacedKeys,
  type StoredFields,
} from "./rotated-credentials.ts";
import { putVersion, type RotationTools, type RotationWish, type SecretState } from "./secret-versions.ts";

const { field, replaced, until } = fieldsOf["api-key"];

/**
 * With one move of a label: a dead key must be replaceable at any time. Withdraws a pending key. May be
 * repeated, and die at any point.
 * @throws RotationError, SecretChangedError, and what the platform and Secrets Manager's calls throw
 */
export async function replaceKey(
  tools: RotationTools,
  { overlapMs, pushesOut = false, isLeaked = false }: RotationWish,
  state: SecretState,
): Promise<void> {
  const { rotation, newId, now } = tools;
  if (!pushesOut) refuseToPushOut(state, "api-key", now(), overlapMs);
  const id = newId();
  const value = await rotation.make(state, id, isLeaked);
  await rotation.prove({ ...state.current.fields, [field]: value });
  if (pendingKeyOf(state.pending?.fields) !== undefined)
    await tools.secret.move("AWSPENDING", { from: state.pending?.id });
  const { current } = state;
  const kept = isRotating(current.fields)
    ? keepReplaced(state, "api-key", now() + overlapMs)
    : current.fields;
  const stored = storedKeys({ ...state, current: { ...current, fields: kept } }, isLeaked);
  const others = stored.filter((key) => key !== value);
  const fields = { ...kept, [field]: value };
  const replacing = {
    ...fields,
    ...(others.length > 0 && {
      [replaced]: others.join(" "),
      [until]: new Date(now() + (isLeaked ? 0 : overlapMs)).toISOString(),
    }),
  };
  await putVersion(tools, "AWSCURRENT", current, replacing, id);
  // No other step looks for created keys that are not stored.
  if (isLeaked && others.length === 0) await rotation.retire("", fields, true);
}

/**
 * The one in use first. Includes the previous version's if a rotation replaced it and has not recorded that.
 */
export function storedKeys(
  { current, pending, previous }: SecretState,
  withPrevious: boolean,
): readonly string[] {
  const isKept = withPrevious || isRotating(current.fields);
  const keys = [
    fieldText(current.fields, field),
    ...readReplacedKeys(current.fields),
    pendingKeyOf(pending?.fields),
    ...(isKept ? [fieldText(previous?.fields, field)] : []),
  ];
  return [...new Set(keys.flatMap((key) => key?.trim() ?? []))];
}

export function pendingKeyOf(fields: StoredFields = {}): string | undefined {
  return isRotating(fields) ? fieldText(fields, field) : undefined;
}
