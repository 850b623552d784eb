import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";

const change = "---\nkind: added\nbump: minor\n---\nLists have `toArray`.\n";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  for (const path of ["build", "lib", "package/create", "tools/release", "package.json", "package-lock.json"])
    cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, ".changes"));
  writeFileSync(join(folder, ".changes/README.md"), "# Changes\n");
  writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## 3.4.5 - 2026-01-01\n\n- First.\n");
  const { version } = JSON.parse(read("package.json"));
  for (const file of [
    "package.json",
    "package-lock.json",
    "lib/base/version.ts",
    "package/create/package.json",
  ])
    writeFileSync(join(folder, file), read(file).replaceAll(`${version}"`, '3.4.5"'));
  git("init", "--quiet");
  commit("first");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("npm run release writes version and changelog once, and deletes the change files; --dry-run only shows it", () => {
  const ofNothing = release();
  writeFileSync(join(folder, ".changes/to-array.md"), change);
  const shown = release("--dry-run");
  const isThere = existsSync(join(folder, ".changes/to-array.md"));
  const made = release();
  writeFileSync(join(folder, ".changes/to-array.md"), change);
  const again = release();
  rmSync(join(folder, ".changes/to-array.md"));
  commit("Release 3.5.0");
  const checked = release("--check");

  expect(ofNothing).toMatchObject({ status: 1, stderr: expect.stringContaining(".changes/ holds no file") });
  expect(shown).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^3\.4\.5 → 3\.5\.0\n\n## 3\.5\.0/),
  });
  expect(isThere).toBe(true);
  expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining("git tag -a v3.5.0") });
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining("Commit this first") });
  expect(JSON.parse(read("package.json")).version).toBe("3.5.0");
  expect(JSON.parse(read("package-lock.json"))).toMatchObject({
    version: "3.5.0",
    packages: { "": { version: "3.5.0" } },
  });
  expect(read("lib/base/version.ts")).toContain('"3.5.0"');
  expect(JSON.parse(read("package/create/package.json"))).toMatchObject({
    version: "3.5.0",
    dependencies: { "cometchat-functions": "^3.5.0" },
  });
  expect(read("CHANGELOG.md")).toMatch(
    /^# Changelog\n\n## 3\.5\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- Lists have `toArray`\.\n\n## 3\.4\.5/,
  );
  expect(checked).toMatchObject({ status: 0, stdout: "Changes that wait for a release: 0.\n" });
});

it("npm run release -- --check fails if the library changed since the last release without a change file", () => {
  writeFileSync(join(folder, "lib/base/json-value.ts"), "export {};\n");
  commit("a change");

  const silent = release("--check");
  writeFileSync(join(folder, ".changes/to-array.md"), change);
  const told = release("--check");

  expect([silent.status, told.status]).toEqual([1, 0]);
  expect(silent.stderr).toMatch(/changed since 3\.5\.0 \([0-9a-f]{10}\), and \.changes\/ is empty/);
});

it("npm run release begins a changelog that has no release", () => {
  writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n");
  commit("no release");

  release();

  expect(read("CHANGELOG.md")).toMatch(
    /^# Changelog\n\n## 3\.6\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- Lists have `toArray`\.\n$/,
  );
});

function release(...options: readonly string[]) {
  return spawnSync(process.execPath, ["tools/release/main.ts", ...options], {
    cwd: folder,
    encoding: "utf8",
  });
}

function read(file: string) {
  return readFileSync(join(folder, file), "utf8");
}

function commit(message: string) {
  git("add", "--all", "CHANGELOG.md", "package.json", "package-lock.json", "lib", ".changes", "package");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", message);
}

function git(...args: readonly string[]) {
  execFileSync("git", args, { cwd: folder, stdio: "ignore" });
}
