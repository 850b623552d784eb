import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = ["functions", "lib", "local", "build", "tools", "test"];
const known = new Set(
  sources.flatMap((source) => [
    source,
    ...readdirSync(join(root, source), { recursive: true, encoding: "utf8" }).map((path) => basename(path)),
  ]),
);

describe("every file and folder in a configuration exists", () => {
  it.each(["biome.json", "lib/layers.biome.json", "local/platform/layers.biome.json"])(
    "in the files of %s",
    (file) => {
      const paths = read(file).overrides.flatMap(({ includes }: Override) => includes);

      expect(missing(paths)).toEqual([]);
    },
  );

  it.each(["biome.json", "lib/layers.biome.json", "local/platform/layers.biome.json"])(
    "in the restricted imports of %s",
    (file) => {
      const groups = read(file).overrides.flatMap(groupsOf).flatMap(expand);

      expect(groups.length).toBeGreaterThan(0);
      expect(
        groups.filter((group: string) => !group.startsWith("node:") && !known.has(nameIn(group))),
      ).toEqual([]);
    },
  );

  it("in knip.json and tsconfig.json", () => {
    const { workspaces, ignore } = read("knip.json");
    const { entry, project } = workspaces["."];
    const { include, exclude } = read("tsconfig.json");

    expect(missing([...entry, ...project, ...ignore, ...include, ...exclude])).toEqual([]);
  });
});

type Override = {
  includes: string[];
  linter?: {
    rules: { style?: { noRestrictedImports?: { options?: { patterns: { group: string[] }[] } } } };
  };
};

function read(file: string) {
  return JSON.parse(readFileSync(join(root, file), "utf8"));
}

function groupsOf({ linter }: Override): string[] {
  const patterns = linter?.rules.style?.noRestrictedImports?.options?.patterns ?? [];
  return patterns.flatMap(({ group }) => group);
}

/**
 * Gives the folder or file that an import pattern names: `**\/chat/**` is `chat`, `**\/chat/client.ts` is
 * `client.ts`.
 */
function nameIn(group: string) {
  return basename(group.replace(/\/\*\*$/, ""));
}

/** Lists the paths whose part before the first star does not exist. */
function missing(paths: string[]): string[] {
  return paths
    .flatMap((path) => expand(path.replace(/^!/, "")))
    .filter((path) => !existsSync(join(root, path.replace(/[^/]*\*.*$/, ""))));
}

/** Expands the first braces of a pattern, and those after it: `{a,b}/**` is `a/**` and `b/**`. */
function expand(pattern: string): string[] {
  const match = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern);
  if (match === null) return [pattern];
  const [, before = "", choices = "", after = ""] = match;
  return choices.split(",").flatMap((choice) => expand(`${before}${choice}${after}`));
}
