import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkOwnCode } from "../../../build/check-own-code.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("checkOwnCode", () => {
  it.each(["triggers.ts", "flows.ts", "orders/refund.ts", "plain.mjs", "plain.cjs", "view.tsx"])(
    "reports the position of a syntax error in %s",
    async (file) => {
      const folder = projectWith({ [file]: "export const one = 1;\r\nexport const more = (;\r\n" });

      expect(await checkOwnCode(folder)).toEqual([`functions/own/${file}:2:22: Unexpected ";"`]);
    },
  );

  it("reports only imports that cannot be resolved", async () => {
    const folder = projectWith({
      "rules.ts": "export const rule = 1;\n",
      "triggers.ts":
        'import { rule } from "./rules.ts";\nimport { rule as js } from "./rules.js";\nimport { join } from "node:path";\n' +
        'import { gone } from "./gone.ts";\nimport left from "no-such-package";\nimport type { T } from "./types-only.ts";\n' +
        "export const all = [rule, js, join, gone, left];\n",
    });

    expect(await checkOwnCode(folder)).toEqual([
      'functions/own/triggers.ts:4:22: Could not resolve "./gone.ts"',
      'functions/own/triggers.ts:5:18: Could not resolve "no-such-package"',
    ]);
  });

  it("counts a column in characters, as editors do", async () => {
    const folder = projectWith({ "triggers.ts": 'export const text = "ééé😀"; const = 1;\n' });

    expect(await checkOwnCode(folder)).toEqual([
      'functions/own/triggers.ts:1:36: Expected identifier but found "="',
    ]);
  });

  it("follows a link to a file", async () => {
    const folder = projectWith({});
    mkdirSync(join(folder, "functions/own"), { recursive: true });
    writeFileSync(join(folder, "shared.ts"), "export const one = (;\n");
    symlinkSync("../../shared.ts", join(folder, "functions/own/flows.ts"));

    expect(await checkOwnCode(folder)).toEqual(['shared.ts:1:21: Unexpected ";"']);
  });

  it.each([".history/flows_2026.ts", ".flows.ts", "node_modules/other/index.js", "orders/notes.md"])(
    "ignores %s",
    async (file) => {
      expect(await checkOwnCode(projectWith({ [file]: "export const one = (;\n" }))).toEqual([]);
    },
  );

  it("parses code with the project's tsconfig.json", async () => {
    const folder = projectWith({
      "triggers.ts": "export class One { constructor(@mark private two: string) {} }\n",
    });
    const before = await checkOwnCode(folder);
    writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "experimentalDecorators": true } }');

    expect(before).toHaveLength(1);
    expect(await checkOwnCode(folder)).toEqual([]);
  });

  it("ignores type errors, and code that only fails at runtime", async () => {
    const folder = projectWith({
      "triggers.ts": 'export const one: number = "1";\nthrow new Error(one);\n',
    });

    expect(await checkOwnCode(folder)).toEqual([]);
  });

  it("ignores an editor's lock file, which is a broken link", async () => {
    const folder = projectWith({ "triggers.ts": "export const one = 1;\n" });
    symlinkSync("somebody@somewhere.4711", join(folder, "functions/own/.#triggers.ts"));

    expect(await checkOwnCode(folder)).toEqual([]);
  });

  it("returns no mistakes for a project without custom code", async () => {
    expect(await checkOwnCode(projectWith({}))).toEqual([]);
  });
});

function projectWith(files: Readonly<Record<string, string>>) {
  const inOwn = Object.entries(files).map(([name, text]) => [`functions/own/${name}`, text]);
  return temporaryFolder(Object.fromEntries(inOwn));
}
