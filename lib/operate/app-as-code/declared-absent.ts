import * as z from "zod/mini";

/** Ids of resources that must not exist: they are deleted, if that is allowed. */
export const absentSchema = z.optional(z.array(z.string().check(z.minLength(1))));

/** Returns a check that no resource is declared both present and absent. */
export function notBoth<Name extends string>(list: Name, key: string) {
  return ({
    value,
    issues,
  }: z.core.ParsePayload<
    { [N in Name]: readonly object[] } & { absent?: readonly string[] | undefined }
  >): void => {
    const ids = new Set(value[list].map((thing) => Reflect.get(thing, key)));
    for (const [index, id] of (value.absent ?? []).entries()) {
      if (!ids.has(id)) continue;
      const message = `"${id}" is declared above, too`;
      issues.push({ code: "custom", input: id, path: ["absent", index], message });
    }
  };
}
