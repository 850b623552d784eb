/**
 * Its times are equal, and it has no second revision (docs/internals/platform/moderation.md#rules). If
 * neither is shown, it counts as changed.
 */
export function isUnchangedDefault(thing: {
  readonly default?: boolean | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly revisionId?: string | undefined;
}): boolean {
  if (thing.default !== true || thing.createdAt === undefined) return false;
  const isFirstRevision = /_1$/.test(thing.revisionId ?? "_1");
  return isFirstRevision && thing.createdAt === (thing.updatedAt ?? thing.createdAt);
}
