import { describe, expect, it } from "vitest";
import { nextVersion } from "../../../tools/release/next-version.ts";
import { type Change, readChange } from "../../../tools/release/read-changes.ts";
import { writeChangelog } from "../../../tools/release/write-changelog.ts";

const added: Change = {
  file: "changes/a.md",
  kind: "added",
  bump: "minor",
  text: "Lists have `toArray`.\nAt last.",
};
const broken: Change = {
  file: "changes/b.md",
  kind: "changed",
  bump: "major",
  text: "`send` takes one object.",
};

describe("readChange", () => {
  it("reads kind, bump and text, whatever ends the lines", () => {
    const change = readChange(
      "changes/a.md",
      "---\r\nkind: added\r\nbump: minor\r\n---\r\n\r\nNew.\r\n\r\nAnd more.\r\n",
    );

    expect(change).toEqual({ file: "changes/a.md", kind: "added", bump: "minor", text: "New.\n\nAnd more." });
  });

  it.each([
    ["no head", "New."],
    ["an unknown kind", "---\nkind: nice\nbump: minor\n---\nNew."],
    ["an unknown bump", "---\nkind: added\nbump: huge\n---\nNew."],
    ["something else in its head", "---\nkind: added\nbump: minor\nwho: me\n---\nNew."],
    ["a head that is no YAML", "---\nkind: [\n---\nNew."],
    ["no text", "---\nkind: added\nbump: minor\n---\n\n"],
  ])("refuses a file with %s by its name", (_, content) => {
    expect(() => readChange("changes/a.md", content)).toThrow(/^changes\/a\.md is not a change file/);
  });
});

describe("nextVersion", () => {
  it.each([
    ["0.2.0", ["patch"], "0.2.1"],
    ["0.2.9", ["patch", "minor"], "0.3.0"],
    ["0.2.1", ["major", "patch"], "0.3.0"],
    ["1.2.3", ["patch", "patch"], "1.2.4"],
    ["1.2.3", ["minor"], "1.3.0"],
    ["1.9.3", ["minor", "major"], "2.0.0"],
  ] as const)("after %s and %s comes %s", (version, bumps, next) => {
    expect(nextVersion(version, bumps)).toBe(next);
  });

  it("refuses a release of nothing, and a version that is none", () => {
    expect(() => nextVersion("1.0.0", [])).toThrow("changes/ holds no file");
    expect(() => nextVersion("1.0.0-rc.1", ["patch"])).toThrow("1.0.0-rc.1 is not three numbers");
  });
});

describe("writeChangelog", () => {
  const changelog = "# Changelog\n\nHow it is written.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n";

  it("puts a release below the introduction, by kind, and says what breaks", () => {
    const written = writeChangelog(changelog, {
      version: "0.2.0",
      date: "2026-02-01",
      changes: [broken, added],
    });

    expect(written).toBe(
      "# Changelog\n\nHow it is written.\n\n## 0.2.0 - 2026-02-01\n\n### Added\n\n- Lists have `toArray`.\n  At last.\n\n" +
        "### Changed\n\n- **Breaking.** `send` takes one object.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n",
    );
  });

  it("begins a changelog that tells of no release yet", () => {
    const written = writeChangelog("# Changelog\n", {
      version: "0.1.0",
      date: "2026-02-01",
      changes: [added],
    });

    expect(written).toContain("# Changelog\n## 0.1.0 - 2026-02-01");
  });
});
