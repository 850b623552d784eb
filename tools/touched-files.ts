import { join } from "node:path";

/**
 * Returns the files of `listed` that a change touches: changed themselves, or imported by a changed unit
 * test, which may have become weaker. All paths are relative to the project's folder.
 * @param read Returns a file's text; undefined if it no longer exists.
 */
export function touchedFiles(
  listed: readonly string[],
  changed: readonly string[],
  read: (path: string) => string | undefined,
): readonly string[] {
  const touched = new Set(changed);
  for (const test of changed.filter((path) => path.startsWith("test/unit/"))) {
    for (const [, specifier = ""] of (read(test) ?? "").matchAll(/from "(\.[^"]+)"/g)) {
      touched.add(join(test, "..", specifier));
    }
  }
  return listed.filter((path) => touched.has(path));
}
