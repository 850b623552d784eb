import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lacksChangeFile, uncommitted } from "../../../scripts/release/lacks-change-file.ts";
import { setVersion } from "../../../scripts/release/set-version.ts";

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
      "package-lock.json does not say the version 0.1.0",
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

describe("lacksChangeFile", () => {
  beforeEach(() => {
    mkdirSync(join(root, "lib"));
    git("init", "--quiet");
    commit("first");
    git("tag", "v0.1.0");
    commit("second");
  });

  it("names the release since which what is published changed untold", () => {
    expect(lacksChangeFile(root, [])).toBe("v0.1.0");
    expect(lacksChangeFile(root, [{}])).toBeUndefined();
  });

  it("does not take a clone without history for one without a release", () => {
    const clone = join(root, "clone");
    git("clone", "--quiet", "--depth", "1", pathToFileURL(root).href, clone);

    expect(() => lacksChangeFile(clone, [])).toThrow("git fetch --unshallow --tags");
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

function commit(text: string): void {
  writeFileSync(join(root, "lib/a.ts"), text);
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", text);
}

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
