import { spawnSync } from "node:child_process";
import process from "node:process";
import { findProjectFolder } from "./folders.ts";
import { serverlessFile } from "./serverless-file.ts";

// npx cometchat-functions package [--stage <name>]
const projectFolder = findProjectFolder();
const { status } = spawnSync(
  process.execPath,
  [serverlessFile(projectFolder), "package", ...process.argv.slice(2)],
  { cwd: projectFolder, stdio: "inherit" },
);
if (status === 0) await import("./bundle-sizes.ts");
else process.exitCode = status ?? 1;
