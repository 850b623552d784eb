export function recordOf<const Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): { readonly [Key in Name]: Value };
// The compiler cannot follow a key through Object.fromEntries.
export function recordOf(names: readonly string[], make: (name: string) => unknown): object {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}
