import process from "node:process";
import { ignoreClosedPipe } from "./closed-pipe.ts";
import { runConfigCommand } from "./config-command.ts";
import { findProjectFolder } from "./folders.ts";

ignoreClosedPipe();
process.exitCode = await runConfigCommand(process.argv.slice(2), {
  projectFolder: findProjectFolder(),
  now: () => new Date(),
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
});
