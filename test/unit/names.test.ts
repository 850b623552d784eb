import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What a reader can import from lib by name: functions, values and classes. */
function exportedNames(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const file of globSync("lib/**/*.ts", { cwd: root })) {
    const text = readFileSync(join(root, file), "utf8");
    const names = [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
      ([, name = ""]) => name,
    );
    for (const name of new Set(names)) places.set(name, [...(places.get(name) ?? []), file]);
  }
  return places;
}

describe("names in lib", () => {
  it("are exported from one file each", () => {
    const names = exportedNames();

    expect(names.size).toBeGreaterThan(100);
    expect([...names].filter(([, files]) => files.length > 1)).toEqual([]);
  });
});
