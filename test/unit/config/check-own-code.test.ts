import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkOwnCode } from "../../../scripts/check-own-code.ts";

describe("checkOwnCode", () => {
  it.each(["triggers.ts", "flows.ts", "orders/refund.ts", "plain.mjs"])(
    "names the place where %s cannot be read",
    async (file) => {
      const folder = projectWith({ [file]: "export const one = 1;\r\nexport const more = (;\r\n" });

      expect(await checkOwnCode(folder)).toEqual([`functions/own/${file}:2:22: Unexpected ";"`]);
    },
  );

  it("counts a column in characters, as editors do", async () => {
    const folder = projectWith({ "triggers.ts": 'export const text = "ééé😀"; const = 1;\n' });

    expect(await checkOwnCode(folder)).toEqual([
      'functions/own/triggers.ts:1:36: Expected identifier but found "="',
    ]);
  });

  it("says nothing of types, and of code that would only fail when it runs", async () => {
    const folder = projectWith({
      "triggers.ts": 'export const one: number = "1";\nthrow new Error(one);\n',
    });

    expect(await checkOwnCode(folder)).toEqual([]);
  });

  it("passes over the lock of an editor, which leads nowhere", async () => {
    const folder = projectWith({ "triggers.ts": "export const one = 1;\n" });
    symlinkSync("somebody@somewhere.4711", join(folder, "functions/own/.#triggers.ts"));

    expect(await checkOwnCode(folder)).toEqual([]);
  });

  it("says nothing of a project without code of its own", async () => {
    expect(await checkOwnCode(projectWith({}))).toEqual([]);
  });
});

function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "own-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, "functions/own", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
