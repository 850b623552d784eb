/** Records the process's globals, and returns a function that lists those replaced or removed since. */
export function watchGlobals(): () => readonly string[] {
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !name.endsWith("Storage"));
  const before = names.map((name): readonly [string, unknown] => [name, Reflect.get(globalThis, name)]);
  return () =>
    before.flatMap(([name, value]) => (Object.is(value, Reflect.get(globalThis, name)) ? [] : [name]));
}
