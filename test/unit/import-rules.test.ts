import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const good = 'export const good = "nothing to see";\n';
const importing = (path: string) => `import { x } from "${path}";\n\nexport const y = x;\n`;

// One violation of each rule: the file that commits it, its text, and the rule that must name it.
const violations = [
  ["lib/http/a.ts", importing("../chat/x.ts"), "noRestrictedImports"],
  ["lib/http/b.ts", importing("../webhook/x.ts"), "noRestrictedImports"],
  ["lib/a.ts", importing("./events/x.ts"), "noRestrictedImports"],
  ["lib/events/a.ts", importing("../triggers/x.ts"), "noRestrictedImports"],
  ["lib/chat/a.ts", importing("../effects/x.ts"), "noRestrictedImports"],
  ["lib/secrets/a.ts", importing("../seeding/x.ts"), "noRestrictedImports"],
  ["lib/webhook/a.ts", importing("../../functions/x.ts"), "noRestrictedImports"],
  ["lib/webhook/b.ts", importing("../../local/cloud/x.ts"), "noRestrictedImports"],
  ["lib/webhook/c.ts", importing("../../test/helpers/x.ts"), "noRestrictedImports"],
  ["functions/a.ts", importing("../local/cloud/x.ts"), "noRestrictedImports"],
  ["functions/b.ts", importing("../test/helpers/x.ts"), "noRestrictedImports"],
  ["functions/c.ts", importing("../lib/chat/client.ts"), "noRestrictedImports"],
  ["functions/triggers/d.ts", importing("../../lib/chat/campaigns/x.ts"), "noRestrictedImports"],
  ["lib/triggers/a.ts", importing("../chat/notifications/x.ts"), "noRestrictedImports"],
  ["lib/aws/a.ts", importing("../chat/x.ts"), "noRestrictedImports"],
  ["lib/chat/b.ts", importing("./campaigns/x.ts"), "noRestrictedImports"],
  ["lib/chat/resources/a.ts", importing("../management/x.ts"), "noRestrictedImports"],
  ["lib/chat/resources/b.ts", importing("../../effects/x.ts"), "noRestrictedImports"],
  ["local/cloud/a.ts", importing("../../functions/x.ts"), "noRestrictedImports"],
  ["local/platform/a.ts", importing("../../lib/chat/x.ts"), "noRestrictedImports"],
  ["local/platform/deep/b.ts", importing("../../../lib/http/x.ts"), "noRestrictedImports"],
  [
    "lib/chat/cycle-a.ts",
    importing("./cycle-b.ts").replace("export const y", "export const x"),
    "noImportCycles",
  ],
  [
    "lib/chat/cycle-b.ts",
    importing("./cycle-a.ts").replace("export const y", "export const x"),
    "noImportCycles",
  ],
  ["lib/chat/barrel.ts", 'export * from "./x.ts";\n', "noReExportAll"],
  ["lib/chat/default.ts", "export default 1;\n", "noDefaultExport"],
  ["lib/chat/assertion.ts", "export const n = (value: unknown) => value as number;\n", "plugin"],
  ["lib/chat/node-import.ts", 'import { hash } from "node:crypto";\n\nexport const y = hash;\n', "plugin"],
  ["functions/node-import.ts", 'export const load = () => import("node:zlib");\n', "plugin"],
  ["lib/chat/BadName.ts", good, "useFilenamingConvention"],
] as const;

const innocents = [
  ["functions/good.ts", importing("../lib/chat/x.ts")],
  ["lib/webhook/good.ts", importing("../events/x.ts")],
  ["lib/chat/good.ts", `${importing("../http/x.ts")}export const c = [1] as const;\n`],
  ["lib/chat/client.ts", importing("./campaigns/x.ts")],
  ["lib/aws/good.ts", 'import type { Agent } from "node:http";\n\nexport type Kept = Agent;\n'],
  ["local/cloud/good.ts", importing("../platform/x.ts")],
] as const;

describe("the import rules", () => {
  let folder: string;
  let reported: Map<string, string[]>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "import-rules-"));
    const config = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    write("biome.json", JSON.stringify({ ...config, $schema: undefined, vcs: undefined }));
    for (const plugin of ["scripts/no-type-assertion.grit", "scripts/no-node-import.grit"]) {
      write(plugin, readFileSync(join(root, plugin), "utf8"));
    }
    for (const room of [
      "lib/chat",
      "lib/chat/campaigns",
      "lib/chat/notifications",
      "lib/chat/management",
      "lib/events",
      "lib/http",
      "lib/webhook",
      "lib/effects",
      "lib/triggers",
      "lib/seeding",
    ]) {
      write(`${room}/x.ts`, "export const x = 1;\n");
    }
    for (const [file, text] of [...violations, ...innocents]) write(file, text);
    reported = lint(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(violations)("report %s", (file, _text, rule) => {
    expect(reported.get(file) ?? []).toContainEqual(expect.stringContaining(rule));
  });

  it.each(innocents)("let %s pass", (file) => {
    expect(reported.get(file)).toBeUndefined();
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});

/** Runs the linter in a folder and gives the rules it reports by file. */
function lint(folder: string): Map<string, string[]> {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  let output: string;
  try {
    output = execFileSync(
      process.execPath,
      [biome, "lint", "--reporter=json", "--max-diagnostics=none", "."],
      {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const byFile = new Map<string, string[]>();
  for (const { category, location } of JSON.parse(output).diagnostics) {
    const file = typeof location.path === "string" ? location.path : location.path.file;
    byFile.set(file, [...(byFile.get(file) ?? []), category]);
  }
  return byFile;
}
