import { spawnSync } from "node:child_process";
import { basename, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { packageFolder } from "../../build/folders.ts";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { CliError } from "../../cli/cli-error.ts";
import { checkNewApp, writeNextLines } from "../../cli/init/init-app.ts";
import { makePackedFile } from "./make-packed-file.ts";
import { writeNewApp } from "./write-new-app.ts";

// npm run new-app -- <folder>: as `npm create cometchat-functions`, from this clone.
const usage = `
Usage: npm run new-app -- <folder> [--name <name>]

Makes an app in a folder that does not exist yet or is empty, and installs its packages. The app takes the package from a packed
file of this repository, which lies in the app's folder.

  <folder>       relative to the folder that you are in
  --name <name>  what the app's resources in AWS are called by; default: the folder's name
  -h, --help     print this help
`;

const { folder, name, typed } = readArguments(usage, (args) => {
  const options = { name: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [typed = "", ...others] = positionals;
  if (typed === "") throw new UsageError("Name the app's folder, as in: npm run new-app -- ../my-app");
  if (others.length > 0) throw new UsageError(`One folder is made at a time, not "${others[0]}", too.`);
  // npm's scripts run in package.json's folder; INIT_CWD is the user's.
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), typed);
  return { folder, typed, name: values.name ?? basename(folder) };
});
const isHere = !/^\.\.(?:[\\/]|$)/.test(relative(packageFolder, folder));
if (isHere)
  exit(
    `${folder} is inside this repository. Choose a folder outside of it, such as ../${basename(folder)}.`,
    2,
  );
try {
  checkNewApp(folder, name);
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  exit(error.message, error.exitCode);
}

process.stdout.write("Packing this repository …\n");
writeNewApp(folder, name, makePackedFile());
process.stdout.write(`Installing the packages of ${typed} …\n`);
const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
  cwd: folder,
  stdio: "inherit",
});
if (status !== 0)
  exit(
    `${typed} is written, but its packages are not installed: npm's message is above. Type:\n\n${writeNextLines(typed)}\n`,
    1,
  );
process.stdout.write(`${typed} is ready. Type:\n\n${writeNextLines(typed, { isInstalled: true })}\n`);

function exit(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
