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
  ["lib/base/http/a.ts", importing("../../chat/x.ts"), "noRestrictedImports"],
  ["lib/aws/a.ts", importing("../chat/x.ts"), "noRestrictedImports"],
  ["lib/chat/a.ts", importing("../events/x.ts"), "noRestrictedImports"],
  ["lib/events/a.ts", importing("../effects/x.ts"), "noRestrictedImports"],
  ["lib/effects/a.ts", importing("../flows/x.ts"), "noRestrictedImports"],
  ["lib/receive/a.ts", importing("../../functions/x.ts"), "noRestrictedImports"],
  ["lib/receive/b.ts", importing("../../local/cloud/x.ts"), "noRestrictedImports"],
  ["lib/receive/c.ts", importing("../../test/helpers/x.ts"), "noRestrictedImports"],
  ["functions/a.ts", importing("../local/cloud/x.ts"), "noRestrictedImports"],
  ["functions/b.ts", importing("../test/helpers/x.ts"), "noRestrictedImports"],
  ["functions/c.ts", importing("../lib/chat/client.ts"), "noRestrictedImports"],
  ["functions/triggers/d.ts", importing("../../lib/chat/campaigns/x.ts"), "noRestrictedImports"],
  ["lib/handle/a.ts", importing("../chat/notifications/x.ts"), "noRestrictedImports"],
  ["lib/chat/b.ts", importing("./campaigns/x.ts"), "noRestrictedImports"],
  ["lib/chat/resources/a.ts", importing("../management/x.ts"), "noRestrictedImports"],
  ["lib/chat/resources/b.ts", importing("../../effects/x.ts"), "noRestrictedImports"],
  ["local/cloud/a.ts", importing("../../functions/x.ts"), "noRestrictedImports"],
  ["local/cloud/b.ts", importing("../console/x.ts"), "noRestrictedImports"],
  ["local/stack/a.ts", importing("../console/x.ts"), "noRestrictedImports"],
  ["local/c.ts", importing("./testing/x.ts"), "noRestrictedImports"],
  ["local/console/a.ts", importing("../testing/x.ts"), "noRestrictedImports"],
  ["local/testing/a.ts", importing("../platform/store/x.ts"), "noRestrictedImports"],
  ["local/testing/b.ts", importing("../../test/helpers/x.ts"), "noRestrictedImports"],
  ["local/testing/c.ts", importing("../../functions/x.ts"), "noRestrictedImports"],
  ["local/console/page/a.ts", importing("../../cloud/x.ts"), "noRestrictedImports"],
  ["local/platform/main.ts", importing("./campaigns/x.ts"), "noRestrictedImports"],
  ["local/platform/create-platform.ts", importing("./main.ts"), "noRestrictedImports"],
  ["local/platform/seed.ts", importing("./notifications/x.ts"), "noRestrictedImports"],
  ["local/platform/page/a.ts", importing("../create-platform.ts"), "noRestrictedImports"],
  ["local/platform/ledger/a.ts", importing("../page/x.ts"), "noRestrictedImports"],
  ["local/platform/simulate/a.ts", importing("../ledger/x.ts"), "noRestrictedImports"],
  ["local/platform/routes.ts", importing("./simulate/x.ts"), "noRestrictedImports"],
  ["local/platform/apart.ts", importing("./routes.ts"), "noRestrictedImports"],
  ["local/platform/management/a.ts", importing("../apart.ts"), "noRestrictedImports"],
  ["local/platform/management/b.ts", importing("../moderation/x.ts"), "noRestrictedImports"],
  ["local/platform/campaigns/a.ts", importing("../notifications/x.ts"), "noRestrictedImports"],
  ["local/platform/notifications/a.ts", importing("../moderation/x.ts"), "noRestrictedImports"],
  ["local/platform/chat/a.ts", importing("../moderation/x.ts"), "noRestrictedImports"],
  ["local/platform/chat/b.ts", importing("../notifications/x.ts"), "noRestrictedImports"],
  ["local/platform/access/a.ts", importing("../chat/x.ts"), "noRestrictedImports"],
  ["local/platform/http/a.ts", importing("../access/x.ts"), "noRestrictedImports"],
  ["local/platform/webhooks/a.ts", importing("../http/x.ts"), "noRestrictedImports"],
  ["local/platform/faults/a.ts", importing("../http/x.ts"), "noRestrictedImports"],
  ["local/platform/wire/a.ts", importing("../webhooks/x.ts"), "noRestrictedImports"],
  ["local/platform/services/a.ts", importing("../wire/x.ts"), "noRestrictedImports"],
  ["local/platform/store/a.ts", importing("../services/x.ts"), "noRestrictedImports"],
  ["local/platform/errors/a.ts", importing("../store/x.ts"), "noRestrictedImports"],
  ["local/platform/json.ts", importing("./errors/x.ts"), "noRestrictedImports"],
  ["local/platform/chat/c.ts", importing("../../../lib/chat/x.ts"), "noRestrictedImports"],
  ["local/platform/store/b.ts", importing("../../../lib/base/http/x.ts"), "noRestrictedImports"],
  ["local/platform/ledger/b.ts", importing("../../../test/helpers/x.ts"), "noRestrictedImports"],
  ["local/platform/seed-yaml.ts", importing("../../lib/chat/x.ts"), "noRestrictedImports"],
  ["local/platform/chat/sql.ts", 'export const n = (db: Db) => db.get("SELECT 1");\n', "plugin"],
  ["local/platform/chat/assertion.ts", "export const n = (value: unknown) => value as number;\n", "plugin"],
  [
    "local/platform/chat/cycle-a.ts",
    'import type { B } from "./cycle-b.ts";\n\nexport type A = { b: B };\n',
    "noImportCycles",
  ],
  [
    "local/platform/chat/cycle-b.ts",
    'import type { A } from "./cycle-a.ts";\n\nexport type B = { a: A };\n',
    "noImportCycles",
  ],
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
  ["lib/receive/good.ts", importing("../events/x.ts")],
  ["lib/chat/good.ts", `${importing("../base/http/x.ts")}export const c = [1] as const;\n`],
  ["lib/chat/client.ts", importing("./campaigns/x.ts")],
  ["lib/aws/good.ts", 'import type { Agent } from "node:http";\n\nexport type Kept = Agent;\n'],
  ["local/cloud/good.ts", importing("../platform/x.ts")],
  ["local/testing/good.ts", importing("../platform/create-platform.ts")],
  ["local/testing/kit/good.ts", importing("../../platform/services/clock.ts")],
  ["local/platform/chat/good.ts", importing("../access/x.ts")],
  ["local/platform/moderation/good.ts", importing("./x.ts")],
  ["local/platform/access/good.ts", importing("../http/x.ts")],
  ["local/platform/store/sql.ts", 'export const n = (db: Db) => db.get("SELECT 1");\n'],
] as const;

describe("the import rules", () => {
  let folder: string;
  let reported: Map<string, string[]>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "import-rules-"));
    const config = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    write("biome.json", JSON.stringify({ ...config, $schema: undefined, vcs: undefined }));
    for (const file of ["lib/layers.biome.json", "local/platform/floors.biome.json", ...pluginsOf(config)]) {
      write(file, readFileSync(join(root, file), "utf8"));
    }
    for (const room of [
      "lib/chat",
      "lib/chat/campaigns",
      "lib/chat/notifications",
      "lib/chat/management",
      "lib/events",
      "lib/base/http",
      "lib/receive",
      "lib/effects",
      "lib/flows",
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

function pluginsOf(config: { overrides: { plugins?: string[] }[] }): string[] {
  return config.overrides.flatMap(({ plugins }) => plugins ?? []).map((path) => path.replace(/^\.\//, ""));
}
