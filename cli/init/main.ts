import { basename, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { CliError, exitCodes } from "../cli-error.ts";
import { initApp, writeNextLines } from "./init-app.ts";

// Runs on the machine's Node: the app has none yet.
const usage = `Usage: npx cometchat-functions init [folder] [--name <name>]

Create an app: your own functions, configuration and tests, with everything that ships.

  folder         where to create it (default: the current folder). It must be missing or empty
  --name <name>  prefix of its resources in AWS (default: the folder's name)
  -h, --help     print this help
`;

process.exitCode = run();

function run() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2).filter((word, index) => index > 0 || word !== "init"),
      options: { name: { type: "string" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (values.help) {
      process.stdout.write(usage);
      return exitCodes.done;
    }
    const [typed = ".", ...others] = positionals;
    if (others.length > 0) throw new TypeError(`give only one folder, not also "${others[0]}"`);
    if (typed === "") throw new TypeError("The folder's name is empty: omit it for the current folder");
    const folder = resolve(typed);
    const { files } = initApp(folder, values.name ?? basename(folder));
    process.stdout.write(`Created ${files} files in ${typed}. Next:\n\n${writeNextLines(typed)}\n`);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CliError) {
      process.stderr.write(`${error.message}\n`);
      return error.exitCode;
    }
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return exitCodes.wrongUse;
  }
}
