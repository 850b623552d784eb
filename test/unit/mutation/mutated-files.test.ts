import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type MutationGroup, mutationGroups } from "../../mutation/mutated-files.ts";

const root = join(import.meta.dirname, "../../..");
const groups: readonly MutationGroup[] = Object.values(mutationGroups);

it("each mutated file exists, once, and so do its tests", () => {
  const files = groups.flatMap(({ files }) => files);
  const patterns = groups.flatMap(({ tests }) => tests);

  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(files).toEqual([...new Set(files)]);
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
});
