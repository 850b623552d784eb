import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyProject } from "../helpers/project-copy.ts";

const change = "---\nkind: added\nbump: minor\n---\nLists have `toArray`.\n";

describe("npm run release", () => {
  let folder = "";

  beforeEach(() => {
    folder = copyProject({
      "CHANGELOG.md": "# Changelog\n\n## 3.4.5 - 2026-01-01\n\n- First.\n",
      "package-lock.json": readFileSync("package-lock.json", "utf8"),
      "changes/README.md": "# Changes\n",
    });
    setOldVersion("3.4.5");
    git("init", "--quiet");
    git("add", "CHANGELOG.md", "package.json", "lib", "changes");
    commit("first");
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("writes the version wherever it stands, and the changelog, and takes the change files away", () => {
    writeFileSync(join(folder, "changes/to-array.md"), change);

    const { status, stdout } = release();

    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("git tag -a v3.5.0"),
    });
    expect(JSON.parse(read("package.json")).version).toBe("3.5.0");
    expect(JSON.parse(read("package-lock.json"))).toMatchObject({
      version: "3.5.0",
      packages: { "": { version: "3.5.0" } },
    });
    expect(read("lib/base/version.ts")).toContain('"3.5.0"');
    expect(read("CHANGELOG.md")).toMatch(
      /^# Changelog\n\n## 3\.5\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- Lists have `toArray`\.\n\n## 3\.4\.5/,
    );
    expect(existsSync(join(folder, "changes/to-array.md"))).toBe(false);
  });

  it("shows with --dry-run what it would write, and writes nothing", () => {
    writeFileSync(join(folder, "changes/to-array.md"), change);

    const { status, stdout } = release("--dry-run");

    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^3\.4\.5 → 3\.5\.0\n\n## 3\.5\.0/),
    });
    expect(JSON.parse(read("package.json")).version).toBe("3.4.5");
    expect(existsSync(join(folder, "changes/to-array.md"))).toBe(true);
  });

  it("refuses a release of nothing", () => {
    const { status, stderr } = release();

    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("changes/ holds no file"),
    });
  });

  it("refuses to release again what was released and not committed", () => {
    writeFileSync(join(folder, "changes/to-array.md"), change);
    release();
    writeFileSync(join(folder, "changes/to-array.md"), change);

    const { status, stderr } = release();

    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Commit this first"),
    });
    expect(JSON.parse(read("package.json")).version).toBe("3.5.0");
  });

  it("fails with --check where the library changed since the last release and nothing tells of it", () => {
    const before = release("--check");
    writeFileSync(join(folder, "lib/base/json.ts"), "export {};\n");
    git("add", "lib");
    commit("a change");

    const silent = release("--check");
    writeFileSync(join(folder, "changes/to-array.md"), change);
    const told = release("--check");

    expect([before.status, silent.status, told.status]).toEqual([0, 1, 0]);
    expect(silent.stderr).toMatch(/changed since 3\.4\.5 \([0-9a-f]{10}\), and changes\/ is empty/);
  });

  it("passes with --check on the commit of a release, which has no tag yet", () => {
    git("tag", "v3.4.5");
    writeFileSync(join(folder, "changes/to-array.md"), change);
    release();
    git("add", "--all", "CHANGELOG.md", "package.json", "lib", "changes");
    commit("Release 3.5.0");

    expect(release("--check")).toMatchObject({ status: 0, stdout: "Changes that wait for a release: 0.\n" });
  });

  it("says with --check that a clone which was cut off cannot be checked", () => {
    writeFileSync(join(folder, "lib/base/json.ts"), "export {};\n");
    git("add", "lib");
    commit("a change");
    writeFileSync(join(folder, ".git/shallow"), execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder }));

    expect(release("--check")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("git fetch --unshallow"),
    });
  });

  it("says with --check what git says where it refuses", async () => {
    await rm(join(folder, ".git"), { recursive: true });

    const { status, stderr } = release("--check");

    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("not a git repository"),
    });
  });

  function release(...options: readonly string[]) {
    return spawnSync(process.execPath, ["tools/release/main.ts", ...options], {
      cwd: folder,
      encoding: "utf8",
    });
  }

  function read(file: string): string {
    return readFileSync(join(folder, file), "utf8");
  }

  function setOldVersion(version: string): void {
    const { version: current } = JSON.parse(read("package.json"));
    for (const file of ["package.json", "package-lock.json", "lib/base/version.ts"]) {
      writeFileSync(join(folder, file), read(file).replaceAll(`"${current}"`, `"${version}"`));
    }
  }

  function commit(message: string): void {
    git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", message);
  }

  function git(...args: readonly string[]): void {
    execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  }
});
