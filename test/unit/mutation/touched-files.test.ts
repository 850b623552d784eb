import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { touchedFiles } from "../../../tools/touched-files.ts";
import { type MutationGroup, mutationGroups } from "../../mutation/mutated-files.ts";

describe("touchedFiles", () => {
  const listed = ["lib/base/digest.ts", "lib/base/http/basic-auth.ts"];
  const texts: Readonly<Record<string, string>> = {
    "test/unit/base/http/basic-auth.test.ts":
      'import { x } from "vitest";\nimport { y } from "../../../../lib/base/http/basic-auth.ts";',
    "test/functions/digest.test.ts": 'import { z } from "../../lib/digest.ts";',
  };
  const touched = (...changed: string[]) => touchedFiles(listed, changed, (path) => texts[path]);

  it("picks a listed file that is changed, and no other", () => {
    expect(touched("lib/base/digest.ts", "lib/base/log.ts", "README.md")).toEqual(["lib/base/digest.ts"]);
  });

  it("picks the file that a changed unit test imports", () => {
    expect(touched("test/unit/base/http/basic-auth.test.ts")).toEqual(["lib/base/http/basic-auth.ts"]);
  });

  it("leaves out what only a test that judges no mutants imports", () => {
    expect(touched("test/functions/digest.test.ts")).toEqual([]);
  });

  it("bears a unit test that was deleted", () => {
    expect(touched("test/unit/gone.test.ts")).toEqual([]);
  });
});

describe("mutationGroups", () => {
  const root = join(import.meta.dirname, "../../..");
  const groups: readonly MutationGroup[] = Object.values(mutationGroups);

  it.each(groups.flatMap(({ files }) => files))("names %s, which exists", (path) => {
    expect(existsSync(join(root, path))).toBe(true);
  });

  it.each(groups.flatMap(({ tests }) => tests))("names %s, which are tests", (pattern) => {
    expect(globSync(pattern, { cwd: root })).not.toEqual([]);
  });

  it("names each file once", () => {
    const files = groups.flatMap(({ files }) => files);

    expect(files).toEqual([...new Set(files)]);
  });
});
