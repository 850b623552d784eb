import { basename, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { exitCodes } from "../exit-codes.ts";
import { InitError, initApp } from "./init-app.ts";
import { writeNextLines } from "./write-next-lines.ts";

// npx cometchat-functions init [folder]: creates an app. Runs on the machine's Node, before the app has its
// own.
const usage = `Usage: npx cometchat-functions init [folder] [--name <name>]

Makes an app of your own: functions, configuration and tests of yours, beside all that ships.

  folder         where; the folder you are in if left out. It must not be there yet, or be empty
  --name <name>  what its resources in AWS are called by; the folder's name if left out
  -h, --help     prints this
`;

process.exitCode = run();

function run(): number {
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
    if (others.length > 0) throw new TypeError(`one folder is made at a time, not "${others[0]}", too`);
    if (typed === "")
      throw new TypeError("The folder's name is empty: leave it out for the folder you are in");
    const folder = resolve(typed);
    const { files } = initApp(folder, values.name ?? basename(folder));
    process.stdout.write(`${files} files are in ${typed}. Type now:\n\n${writeNextLines(typed)}\n`);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof InitError) {
      process.stderr.write(`${error.message}\n`);
      return error.exitCode;
    }
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return exitCodes.wrongUse;
  }
}
