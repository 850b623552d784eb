import { spawnSync } from "node:child_process";
import process from "node:process";
import { ignoreClosedPipe } from "./closed-pipe.ts";
import { findProjectFolder } from "./folders.ts";
import { serverlessFile } from "./serverless-file.ts";

ignoreClosedPipe();
const projectFolder = findProjectFolder();
const args = process.argv.slice(2);
if (args.some((arg) => ["-h", "--help", "help"].includes(arg))) {
  process.stdout.write(`npm run package [-- --stage <name>]

Packages the service for a stage (default: dev) into .serverless/, without deploying. Other
options are those of \`serverless package\`, such as --package <folder>.
`);
} else {
  const { status } = spawnSync(process.execPath, [serverlessFile(projectFolder), "package", ...args], {
    cwd: projectFolder,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
