/** None if it is not a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.map(String))] : [];
}

export function memberChanges(
  wanted: unknown,
  there: unknown,
): { readonly added: string[]; readonly gone: string[] } {
  const [target, found] = [textsOf(wanted), textsOf(there)];
  return {
    added: target.filter((member) => !found.includes(member)),
    gone: found.filter((member) => !target.includes(member)),
  };
}

/** Omits those that do not exist. */
export async function findEach<Thing>(
  ids: readonly string[],
  find: (id: string) => Promise<Thing | undefined>,
): Promise<readonly Thing[]> {
  const found = await Promise.all(ids.map(find));
  return found.filter((thing) => thing !== undefined);
}
