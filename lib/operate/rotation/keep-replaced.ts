import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  readReplacedKeys,
  rotatingField,
  type StoredFields,
} from "./rotated-things.ts";
import type { SecretState } from "./secret-versions.ts";

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
