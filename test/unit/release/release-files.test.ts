import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setVersion } from "../../../tools/release/set-version.ts";
import { changesSinceRelease, uncommitted } from "../../../tools/release/since-release.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "release-"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("setVersion", () => {
  it("writes nothing when one file says another version", () => {
    const own = '{ "version": "0.1.0" }';
    writeFileSync(join(root, "package.json"), own);
    writeFileSync(join(root, "package-lock.json"), '{ "version": "0.0.9" }');

    expect(() => setVersion(root, "0.1.0", "0.2.0")).toThrow(
      "package-lock.json does not contain the version 0.1.0",
    );

    expect(readFileSync(join(root, "package.json"), "utf8")).toBe(own);
  });

  it("lets what makes an app take the release that it came with", () => {
    mkdirSync(join(root, "package/create"), { recursive: true });
    const file = join(root, "package/create/package.json");
    const told = (version: string) =>
      `{ "version": "${version}", "dependencies": { "cometchat-functions": "^${version}" } }`;
    writeFileSync(file, told("0.9.0"));

    setVersion(root, "0.9.0", "1.0.0");

    expect(readFileSync(file, "utf8")).toBe(told("1.0.0"));
  });
});

describe("changesSinceRelease", () => {
  beforeEach(() => {
    mkdirSync(join(root, "lib"));
    git("init", "--quiet");
    writeFileSync(join(root, "package.json"), '{ "version": "0.0.9" }');
    commit("nothing yet");
    writeFileSync(join(root, "package.json"), '{ "version": "0.1.0" }');
    commit("first");
    commit("second");
  });

  it("names the commit since which what is published changed untold", () => {
    expect(since(root)).toEqual({ kind: "untold", commit: expect.stringMatching(/^[0-9a-f]{10}$/) });
    expect(changesSinceRelease(root, "0.1.0", [{}])).toEqual({ kind: "told" });
  });

  it("finds nothing untold where only other files changed", () => {
    commit("first");
    writeFileSync(join(root, "notes.md"), "new");
    commit("first");

    expect(since(root)).toEqual({ kind: "unchanged" });
  });

  it.each([
    { depth: 1, kind: "unknown" },
    { depth: 2, kind: "unknown" },
    { depth: 3, kind: "untold" },
  ])("says of a clone $depth deep: $kind", ({ depth, kind }) => {
    const clone = join(root, "clone");
    git("clone", "--quiet", "--depth", `${depth}`, pathToFileURL(root).href, clone);

    expect(since(clone).kind).toBe(kind);
  });

  it("tells what would slip into the release's commit, and leaves files of changes/ out", () => {
    mkdirSync(join(root, "changes"));
    writeFileSync(join(root, "changes/a.md"), "new");
    git("add", "changes");
    const before = uncommitted(root);
    writeFileSync(join(root, "lib/a.ts"), "edited");

    expect([before, uncommitted(root)]).toEqual(["", "M lib/a.ts"]);
  });
});

function since(folder: string) {
  return changesSinceRelease(folder, "0.1.0", []);
}

function commit(text: string): void {
  writeFileSync(join(root, "lib/a.ts"), text);
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", text);
}

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
