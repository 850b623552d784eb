import { randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import timers from "node:timers/promises";
import { commands } from "./commands.ts";
import { createQuestions } from "./questions.ts";
import { runCli } from "./run-cli.ts";

// npx cometchat-functions <command>: docs/commands.md.
const interruption = new AbortController();
process.on("SIGINT", () => {
  if (interruption.signal.aborted) process.exit(130);
  interruption.abort();
});
const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;

process.exitCode = await runCli(process.argv.slice(2), commands, {
  projectFolder: join(import.meta.dirname, ".."),
  env: process.env,
  now: Date.now,
  sleep: (ms, signal) => timers.setTimeout(ms, undefined, { signal }).catch(() => undefined),
  token: randomUUID,
  stdout: { write: (line) => process.stdout.write(line), isTerminal: process.stdout.isTTY === true },
  stderr: { write: (line) => process.stderr.write(line), isTerminal: process.stderr.isTTY === true },
  readStdin: () => text(process.stdin),
  ask: canAsk ? createQuestions(interruption.signal) : undefined,
  signal: interruption.signal,
});
