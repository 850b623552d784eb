import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { readArguments } from "../../build/read-arguments.ts";
import { doors } from "../package/doors.ts";

// npm run api: writes the exports of each entry point of the built package into package/api/, so that reviews show changes. With
// --check it writes nothing and fails if an entry point has changed. Run `npm run pack` before.
const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
const kept = join(root, "package", "api");
const usage = `
Usage: npm run api [-- --check]

Writes down in package/api/ what each door of the package exports. Run \`npm run pack\` first: it makes the package in dist/.

  --check     writes nothing, and fails where a door has changed
  -h, --help  prints this
`;
const check = readArguments(usage, (args) => {
  const options = { check: { type: "boolean", default: false } } as const;
  return parseArgs({ args, options }).values.check;
});

const made = mkdtempSync(join(tmpdir(), "api-reports-"));
const configs = doors.map(configOf);
const [first] = configs;
if (first === undefined) throw new Error("The package has no doors.");
const compilerState = CompilerState.create(first, { additionalEntryPoints: doors.map(entryOf) });
const stale: string[] = [];
for (const [index, config] of configs.entries()) {
  const door = doors[index] ?? "";
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => {
      message.logLevel = ExtractorLogLevel.None;
    },
  });
  const path = join(kept, `${door}.api.md`);
  const report = readFileSync(join(made, `${door}.api.md`), "utf8");
  if (existsSync(path) && readFileSync(path, "utf8") === report) continue;
  stale.push(door);
  if (check) continue;
  mkdirSync(kept, { recursive: true });
  writeFileSync(path, report);
}
rmSync(made, { recursive: true });
process.stdout.write(tell(stale));
process.exit(check && stale.length > 0 ? 1 : 0);

function tell(changed: readonly string[]): string {
  if (changed.length === 0) return "package/api/ says what the doors export.\n";
  const names = changed.map((door) => `package/api/${door}.api.md`).join(", ");
  if (!check) return `Written: ${names}. Look at what has changed, and commit it.\n`;
  return `What the doors export is not what is written down in ${names}: run npm run pack and npm run api, look at what has changed, and commit it with a file of changes/.\n`;
}

function entryOf(door: string): string {
  return join(dist, "package", `${door}.d.ts`);
}

function configOf(door: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: dist,
      newlineKind: "lf",
      mainEntryPointFilePath: entryOf(door),
      apiReport: {
        enabled: true,
        reportFolder: made,
        reportTempFolder: join(made, "temp"),
        reportFileName: `${door}.api.md`,
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
          files: [entryOf(door)],
        },
      },
      messages: { extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(dist, "package.json"),
  });
}
