import { lazyByKey } from "../../base/lazy.ts";
import { textsOf } from "./fields.ts";
import type { ThingStep } from "./plan-thing.ts";
import type { AppApis, Fields, FoundThing, Kind, WantedThing } from "./thing.ts";

/**
 * Of what a resource names, says what is not declared, not in the app and not part of it yet, and what is
 * among the steps before it that make nothing.
 */
export function createLackOf(kinds: readonly Kind[], declared: readonly WantedThing[], apis: AppApis) {
  const listOnce = lazyByKey(async (name: string) => {
    const calls = kinds.find((kind) => kind.name === name)?.connect(apis);
    return (await calls?.list("all")) ?? [];
  });
  return async (
    kind: Kind,
    before: readonly ThingStep[],
    { fields }: WantedThing,
    found: FoundThing | undefined,
  ): Promise<readonly string[]> => {
    const unmade = before.filter((step) => step.action === "blocked" && step.found === undefined);
    const refusals: string[] = [];
    for (const [field, name] of Object.entries(kind.parts ?? {})) {
      const wanted = declared.filter((thing) => thing.kind === name).map(({ id }) => id);
      const known = [...wanted, ...textsOf(found?.fields[field])];
      const others = textsOf(fields[field]).filter((id) => !known.includes(id));
      const there = others.length === 0 ? [] : await listOnce(name);
      for (const id of others.filter((other) => !there.some((part) => part.id === other)))
        refusals.push(`There is no ${name} ${id}: declare it, or make it in the dashboard.`);
    }
    return [...refusals, ...partsAmong(fields, kind, unmade).map((part) => `${part} cannot be made.`)];
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
