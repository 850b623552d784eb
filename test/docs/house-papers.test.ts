import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));

describe("docs/internals/guarantees.md", () => {
  const [, promises = ""] =
    /^## The promises\n([\s\S]*?)^## /m.exec(read("docs/internals/guarantees.md")) ?? [];

  const sections = promises.split(/^### /m).slice(1);

  it.each(sections.map((text) => [text.split("\n", 1)[0], text]))(
    "names a test of npm test: %s",
    (_, promise = "") => {
      const [, row = ""] = /^\| In `npm test` \| (.*) \|$/m.exec(promise) ?? [];
      const files = [...row.matchAll(/`((?:unit|promises)\/[\w/-]+(?<!\.long)\.test\.ts)`/g)].map(
        ([, file]) => `test/${file}`,
      );
      const titles = [...row.matchAll(/"([^"]+)"/g)].map(([, title]) => String(title));

      expect(files.length).toBeGreaterThan(0);
      const texts = files.map(read).join("\n");
      expect(titles.filter((title) => !texts.includes(title))).toEqual([]);
    },
  );
});

describe("CHANGELOG.md", () => {
  const versions = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, title]) => String(title));

  it("begins with the package's version, as what is not released stands in changes/", () => {
    const [newest] = versions;

    expect(newest).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
    expect(newest?.split(" ")[0]).toBe(manifest.version);
    expect(JSON.parse(read("package-lock.json")).version).toBe(manifest.version);
  });
});

describe("the host's files", () => {
  const workflows = globSync(".github/workflows/*.yml", { cwd: root });

  const jobs = workflows.flatMap((file) =>
    Object.entries<Job>(parse(read(file)).jobs).map(([name, job]) => ({ where: `${file}: ${name}`, ...job })),
  );
  const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

  it.each(workflows)("%s may only read", (file) => {
    expect(parse(read(file)).permissions).toEqual({ contents: "read" });
  });

  it("run each script of .ci, and nothing else", () => {
    const scripts = globSync(".ci/*", { cwd: root });

    expect(jobs.flatMap(commandsOf).toSorted()).toEqual(scripts.toSorted());
    for (const script of scripts) expect(statSync(join(root, script)).mode & 0o111, script).not.toBe(0);
  });

  it("name each action by its commit", () => {
    const used = workflows.flatMap((file) => read(file).match(/uses: .*$/gm) ?? []);

    const byName = used.filter((line) => !/^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line));
    expect(used.length).toBeGreaterThan(5);
    expect(byName).toEqual([]);
  });

  it("give the registry's token to a job that installs nothing and runs nothing but the upload", () => {
    const trusted = jobs.filter(({ permissions }) => permissions?.["id-token"] === "write");

    expect(trusted.flatMap(commandsOf)).toEqual([".ci/upload"]);
    for (const script of [".ci/upload", "tools/release/upload.sh"]) {
      expect(read(script)).not.toMatch(/(?:^|[;&|(]) *(?:npm (?:ci|i|install|run|test|start|exec)|npx)\b/m);
    }
  });

  it("look for newer dependencies wherever there is a lock file", () => {
    const { updates } = parse(read(".github/dependabot.yml"));
    const [npm] = updates.filter(
      (update: { "package-ecosystem": string }) => update["package-ecosystem"] === "npm",
    );
    const locked = globSync("{.,test/**,local/**,docs/**}/package-lock.json", { cwd: root })
      .filter((file) => !file.includes("node_modules"))
      .map((file) => `/${file.replace(/\/?package-lock\.json$/, "")}`);

    expect(npm.directories.toSorted()).toEqual(locked.toSorted());
  });
});

describe("package.json", () => {
  it("has no dependency that is used through its private parts", () => {
    const sources = globSync("{build,lib,functions,local,tools}/**/*.{ts,mjs}", { cwd: root });
    const isDeepImport = /from "(?:\.\.\/)+node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g;

    const patched = sources.flatMap((file) =>
      [...read(file).matchAll(isDeepImport)].map(([, name]) => `${file}: ${name}`),
    );

    expect(sources.length).toBeGreaterThan(100);
    expect(patched).toEqual([]);
  });
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string }[];
}
