import { lazyByKey } from "../../base/lazy.ts";
import { textsOf } from "./fields.ts";
import type { ThingStep } from "./plan-thing.ts";
import type { AppApis, Fields, FoundThing, Kind, WantedThing } from "./thing.ts";

/**
 * Of what a resource names, returns what is not declared, not in the app and not part of it yet:
 * `API tool order-status`.
 */
export function createMissingPartsOf(
  kinds: readonly Kind[],
  declared: readonly WantedThing[],
  apis: AppApis,
) {
  const listOnce = lazyByKey(async (name: string) => {
    const calls = kinds.find((kind) => kind.name === name)?.connect(apis);
    return (await calls?.list("all")) ?? [];
  });
  return async (
    { fields }: WantedThing,
    { parts = {} }: Kind,
    found: FoundThing | undefined,
  ): Promise<readonly string[]> => {
    const missing = Object.entries(parts).map(async ([field, name]) => {
      const wanted = declared.filter(({ kind }) => kind === name);
      const known = [...wanted.map(({ id }) => id), ...textsOf(found?.fields[field])];
      const others = textsOf(fields[field]).filter((id) => !known.includes(id));
      const there = others.length === 0 ? [] : await listOnce(name);
      return others.filter((id) => !there.some((part) => part.id === id)).map((id) => `${name} ${id}`);
    });
    return (await Promise.all(missing)).flat();
  };
}

/** Which of these steps' resources it names: `text Returns`. */
export function partsAmong(
  fields: Fields,
  { parts = {} }: Kind,
  steps: readonly Pick<ThingStep, "kind" | "id">[],
): readonly string[] {
  return Object.entries(parts).flatMap(([field, name]) =>
    steps
      .filter(({ kind, id }) => kind.name === name && textsOf(fields[field]).includes(id))
      .map(({ id }) => `${name} ${id}`),
  );
}
