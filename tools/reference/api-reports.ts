import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { readArguments } from "../../build/read-arguments.ts";
import { entryPoints } from "../package/entry-points.ts";

// npm run api: writes each entry point's exports into package/api/, for reviews. --check writes nothing and
// fails for a change. Needs `npm run pack` before.
const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
const kept = join(root, "package", "api");
const usage = `
Usage: npm run api [-- --check]

Write the exports of each entry point to package/api/. Run \`npm run pack\` first: it builds the package in dist/.

  --check     write nothing, and fail if an entry point has changed
  -h, --help  print this help
`;
const check = readArguments(usage, (args) => {
  const options = { check: { type: "boolean", default: false } } as const;
  return parseArgs({ args, options }).values.check;
});

const made = mkdtempSync(join(tmpdir(), "api-reports-"));
process.once("exit", () => rmSync(made, { recursive: true }));
const configs = entryPoints.map(configOf);
const [first] = configs;
if (first === undefined) throw new Error("The package has no entry points.");
const compilerState = CompilerState.create(first, { additionalEntryPoints: entryPoints.map(entryPathOf) });
const stale: string[] = [];
for (const [index, config] of configs.entries()) {
  const entry = entryPoints[index] ?? "";
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => {
      message.logLevel = ExtractorLogLevel.None;
    },
  });
  const path = join(kept, `${entry}.api.md`);
  const report = readFileSync(join(made, `${entry}.api.md`), "utf8");
  if (existsSync(path) && readFileSync(path, "utf8") === report) continue;
  stale.push(entry);
  if (check) continue;
  mkdirSync(kept, { recursive: true });
  writeFileSync(path, report);
}
process.stdout.write(tell(stale));
process.exit(check && stale.length > 0 ? 1 : 0);

function tell(changed: readonly string[]): string {
  if (changed.length === 0) return "package/api/ matches the exports of the entry points.\n";
  const names = changed.map((entry) => `package/api/${entry}.api.md`).join(", ");
  if (!check) return `Written: ${names}. Look at what has changed, and commit it.\n`;
  return `The exports of the entry points differ from ${names}: run npm run pack and npm run api, review the changes, and commit them with a file of changes/.\n`;
}

function entryPathOf(entry: string): string {
  return join(dist, "package", `${entry}.d.ts`);
}

function configOf(entry: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: dist,
      newlineKind: "lf",
      mainEntryPointFilePath: entryPathOf(entry),
      apiReport: {
        enabled: true,
        reportFolder: made,
        reportTempFolder: join(made, "temp"),
        reportFileName: `${entry}.api.md`,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "es2023",
            module: "nodenext",
            moduleResolution: "nodenext",
            strict: true,
            skipLibCheck: true,
            types: ["node"],
            typeRoots: [join(root, "node_modules", "@types")],
          },
          files: [entryPathOf(entry)],
        },
      },
      messages: { extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(dist, "package.json"),
  });
}
