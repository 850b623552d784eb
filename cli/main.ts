import { randomUUID } from "node:crypto";
import process from "node:process";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import timers from "node:timers/promises";
import { findProjectFolder } from "../build/folders.ts";
import { describeError } from "../lib/base/describe-error.ts";
import { hideSecrets } from "../lib/base/known-secrets.ts";
import { exitCodes } from "./cli-error.ts";
import { commands } from "./commands.ts";
import type { Questions } from "./edges.ts";
import { closedPipe, runCli } from "./run-cli.ts";

/** npm forwards a Ctrl-C that the terminal also sent. */
const sameCtrlCMs = 500;
const interruption = new AbortController();
let endingSinceMs: number | undefined;
// A closed terminal sends SIGHUP; then the ended parent SIGTERM (end-with-parent.mjs). @see docs/commands.md
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    const isTerminalGone = error.code === "EIO" && stream.isTTY;
    if (error.code === "EPIPE" || isTerminalGone) return interruption.abort(closedPipe);
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
    process.exit(exitCodes.partlyDone);
  });
}
// Node's own code, 1, would mean: done.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${hideSecrets(describeError(error))}\n`);
  process.exit(exitCodes.fault);
});
// Ctrl-D closes a question without an answer.
process.once("beforeExit", () => interruption.abort());
const isStdinTerminal = process.stdin.isTTY === true;
const questions = isStdinTerminal && process.stderr.isTTY === true ? createQuestions() : undefined;
let isStdinRead = false;

process.exitCode = await runCli(process.argv.slice(2), commands, {
  get projectFolder() {
    return findProjectFolder();
  },
  env: process.env,
  now: Date.now,
  sleep: (ms, signal) => timers.setTimeout(ms, undefined, { signal }).catch(() => undefined),
  token: randomUUID,
  stdout: { write: (line) => process.stdout.write(line), isTerminal: process.stdout.isTTY === true },
  stderr: { write: (line) => process.stderr.write(line), isTerminal: process.stderr.isTTY === true },
  readStdin: () => {
    isStdinRead = true;
    return text(addAbortSignal(interruption.signal, process.stdin));
  },
  isStdinTerminal,
  get ask() {
    return isStdinRead ? undefined : questions;
  },
  signal: interruption.signal,
});
// Pending calls without an answer must not keep the process. The output is written first.
process.stdout.write("", (unwritten) => {
  if (!unwritten) process.exit();
});

/** Only a second Ctrl-C ends immediately: what the command holds, such as dead letters, is returned first. */
function end(signal: NodeJS.Signals) {
  const nowMs = performance.now();
  if (endingSinceMs !== undefined) {
    if (signal === "SIGINT" && nowMs - endingSinceMs > sameCtrlCMs) process.exit(exitCodes.interrupted);
    return;
  }
  endingSinceMs = nowMs;
  process.stderr.write("\nending as soon as possible; Ctrl-C again ends immediately\n");
  interruption.abort();
}

/** Uses standard error: standard output can be piped. */
function createQuestions(): Questions {
  const prompts = () => import("@inquirer/prompts");
  const context = { output: process.stderr, signal: interruption.signal };
  return {
    confirm: async (message) => (await prompts()).confirm({ message, default: false }, context),
    text: async (message, fallback) =>
      (await prompts()).input(fallback === undefined ? { message } : { message, default: fallback }, context),
    password: async (message) =>
      (await prompts()).password({ message, mask: "*", toggleMask: false }, context),
  };
}
