#!/usr/bin/env node
// Runs on whatever Node the machine has: installs what is missing, then hands over to the Node of this project.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import "../scripts/install.mjs";

const nodeFile = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
const mainFile = fileURLToPath(new URL("./main.ts", import.meta.url));
const child = spawn(nodeFile, [mainFile, ...process.argv.slice(2)], { stdio: "inherit" });
// Ctrl-C reaches both: the command decides how it ends.
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => signal === "SIGTERM" && child.kill(signal));
child.on("exit", (code, signal) => {
  // As shells tell of a signal; 1 would say that all was done.
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
