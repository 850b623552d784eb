import { join } from "node:path";

/**
 * Picks those of `listed` that a change touches: the file is changed itself, or a changed unit test imports it, as the
 * test may have become weaker. All paths are relative to the project's folder.
 * @param read Gives a file's text; undefined when it is not there any more.
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
