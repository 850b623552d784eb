import { join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { readArguments } from "../../build/read-arguments.ts";
import { entryPoints } from "../package/entry-points.ts";

// npm run api: writes each entry point's exports into package/api/, for reviews. --check writes nothing and
// fails for a change. Needs `npm run pack` before.
const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
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

const configs = entryPoints.map(configOf);
const compilerState = CompilerState.create(configOf(entryPoints[0]), {
  additionalEntryPoints: entryPoints.map(entryPathOf),
});
const changed = configs
  .filter((config) => {
    const { apiReportChanged } = Extractor.invoke(config, {
      compilerState,
      localBuild: !check,
      messageCallback: (message) => {
        message.logLevel = ExtractorLogLevel.None;
      },
    });
    return apiReportChanged;
  })
  .map(({ reportFilePath }) => relative(root, reportFilePath))
  .join(", ");
if (changed === "") process.stdout.write("package/api/ matches the exports of the entry points.\n");
else if (!check) process.stdout.write(`Written: ${changed}. Look at what has changed, and commit it.\n`);
else
  process.stdout.write(
    `The exports of the entry points differ from ${changed}: run npm run pack and npm run api, review the changes, and commit them with a file of .changes/.\n`,
  );
process.exit(check && changed !== "" ? 1 : 0);

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
        reportFolder: join(root, "package", "api"),
        reportTempFolder: join(root, ".build", "api"),
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
