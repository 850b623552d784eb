import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));

describe.each(["CONTRIBUTING.md", "SECURITY.md"])("%s", (page) => {
  it("names only files and folders that exist", () => {
    const named = [...read(page).matchAll(/`((?:\.?[\w-]+\/)+[\w.-]*)`/g)].map(([, path]) => String(path));

    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  const blocks = [...read("CONTRIBUTING.md").matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) =>
    String(text),
  );
  const commands = blocks
    .map((block) => block.replaceAll(/<<'(\w+)'\n[\s\S]*?^\1$/gm, ""))
    .flatMap((block) => block.trim().split("\n"));

  it("gives no command but npm's scripts and git's two", () => {
    const others = commands.filter(
      (command) => !/^(npm (run|test|start)\b|git (apply|checkout) )/.test(command),
    );

    expect(others).toEqual([]);
  });

  it("runs only tests that exist", () => {
    const tests = commands.flatMap((command) => /^npm test -- (\S+)$/.exec(command)?.[1] ?? []);

    expect(tests.length).toBeGreaterThan(0);
    for (const test of tests) expect(existsSync(join(root, test)), test).toBe(true);
  });

  describe("its way to see a test red, walked in a copy of the project", () => {
    const [test = "", change = "", again = "", restore = ""] = stepsOf(blocks.find(isWalk) ?? "");
    let copy: string;

    beforeAll(async () => {
      copy = mkdtempSync(join(tmpdir(), "contributing-"));
      for (const name of [
        "config",
        "functions/own",
        "lib",
        "scripts",
        "test/helpers",
        "test/unit/replies",
        "vitest.config.ts",
      ]) {
        cpSync(join(root, name), join(copy, name), { recursive: true });
      }
      cpSync(join(root, "package.json"), join(copy, "package.json"));
      cpSync(join(root, "package-lock.json"), join(copy, "package-lock.json"));
      symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
      await run("git init --quiet && git add lib test");
    });
    afterAll(() => rmSync(copy, { recursive: true, force: true }));

    async function run(command: string) {
      // The step before each npm script would install, and the copy's packages are the project's own.
      const env = { ...process.env, npm_config_ignore_scripts: "true" };
      const outcome = promisify(execFile)("bash", ["-c", command], { cwd: copy, env });
      return outcome.then(
        () => ({ isGreen: true, output: "" }),
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({
          isGreen: false,
          output: stdout + stderr,
        }),
      );
    }

    it("is green, then red with the sentence that the page names, then green again", async () => {
      const before = await run(test);
      const broken = await run(change);
      const red = await run(again);
      const restored = await run(restore);
      const after = await run(test);

      expect(before).toEqual({ isGreen: true, output: "" });
      expect(broken).toEqual({ isGreen: true, output: "" });
      expect(red.isGreen).toBe(false);
      expect(red.output).toContain("finds in “这个价格是多少” the word “价格”");
      expect(read("CONTRIBUTING.md")).toContain("finds in “这个价格是多少” the word “价格”");
      expect(restored).toEqual({ isGreen: true, output: "" });
      expect(after).toEqual({ isGreen: true, output: "" });
    });
  });
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

describe("the decisions", () => {
  const pages = globSync("docs/decisions/*.md", { cwd: root })
    .map((page) => page.replace("docs/decisions/", ""))
    .filter((page) => !["README.md", "template.md"].includes(page))
    .toSorted();

  it("are numbered without a gap, but for what their first page names", () => {
    const [, unused] = /(\d+) was never given/.exec(read("docs/decisions/README.md")) ?? [];
    const expected = Array.from({ length: pages.length + 1 }, (_, index) => index + 1);

    expect(pages.map((page) => Number(page.slice(0, 4)))).toEqual(
      expected.filter((number) => number !== Number(unused)),
    );
  });

  it.each(pages)("%s has the template's parts, under its own number", (page) => {
    const text = read(`docs/decisions/${page}`);

    expect(text).toMatch(new RegExp(`^# ${Number(page.slice(0, 4))}\\. \\S`));
    expect(text).toMatch(/^\d{4}-\d\d-\d\d$/m);
    for (const part of ["Context", "Decision", "Consequences"]) expect(text).toContain(`\n**${part}.** `);
  });
});

describe("the host's files", () => {
  const workflows = globSync(".github/workflows/*.yml", { cwd: root });

  it.each(workflows)("%s runs a script of .ci that can be run, and may only read", (file) => {
    const { jobs, permissions } = parse(read(file));
    const steps: { run?: string; uses?: string }[] = Object.values<{ steps: [] }>(jobs).flatMap(
      (job) => job.steps,
    );
    const commands = steps.flatMap((step) => step.run ?? []);

    expect(permissions).toEqual({ contents: "read" });
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatch(/^\.ci\/\w+$/);
    expect(statSync(join(root, String(commands[0]))).mode & 0o111).not.toBe(0);
  });

  it("call each script of .ci", () => {
    const called = workflows.map((file) => /run: (\.ci\/\w+)$/m.exec(read(file))?.[1]);

    expect(called.toSorted()).toEqual(globSync(".ci/*", { cwd: root }).toSorted());
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
    const sources = globSync("{lib,functions,local,scripts}/**/*.{ts,mjs}", { cwd: root });
    const isDeepImport = /from "(?:\.\.\/)+node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g;

    const patched = sources.flatMap((file) =>
      [...read(file).matchAll(isDeepImport)].map(([, name]) => `${file}: ${name}`),
    );

    expect(sources.length).toBeGreaterThan(100);
    expect(patched).toEqual([]);
  });
});

function isWalk(block: string): boolean {
  return block.includes("git apply");
}

/** The commands of a block; a text that is handed to one belongs to it. */
function stepsOf(block: string): string[] {
  return [...block.matchAll(/^.*<<'(\w+)'\n[\s\S]*?^\1$|^.+$/gm)].map(([step]) => step);
}
