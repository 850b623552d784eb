import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { ListedCommand } from "../../cli/command.ts";
import { commands as allCommands } from "../../cli/commands.ts";
import type { CliEdges, Questions } from "../../cli/edges.ts";
import { runCli } from "../../cli/run-cli.ts";
import type { Cloud } from "../../local/cloud/start-cloud.ts";
import type { StackClock } from "../../local/stack/clock/stack-clock.ts";
import { publishAddresses } from "../../local/stack/publish-addresses.ts";

type Answer = string | boolean | ((message: string) => Promise<string | boolean> | string | boolean);

/** The result of a command line. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The documents of `--json`, one per line. */
  readonly json: readonly unknown[];
}

/** The exit code and output of a command line. */
export function expectEnd(
  { exitCode, stdout, stderr }: Pick<Ran, "exitCode" | "stdout" | "stderr">,
  code: number,
  ...says: readonly (string | RegExp)[]
): void {
  expect(exitCode, stderr + stdout).toBe(code);
  for (const one of says)
    expect(stdout + stderr).toEqual(
      typeof one === "string" ? expect.stringContaining(one) : expect.stringMatching(one),
    );
}

export interface RunChatOptions {
  readonly edges?: Partial<CliEdges>;
  /** Answers to questions, in order; they may act first. More questions fail. Default: no terminal. */
  readonly answers?: readonly Answer[];
  /** The standard input. */
  readonly stdin?: string;
  /** Whether the output is a terminal. */
  readonly isTerminal?: boolean;
  /** Default: all. */
  readonly commands?: readonly ListedCommand[];
}

/**
 * Runs a command line within this process, as typed after the program's name: words with blanks between them;
 * in a list, only the first text is split at blanks.
 */
export type RunChat = (line: string | readonly string[], options?: RunChatOptions) => Promise<Ran>;

const root = join(import.meta.dirname, "../..");

/** A folder with the project files that commands read, and its removal. */
export function createProjectFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  for (const name of ["serverless.yml", "config", "package.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns a runner of command lines in a project folder; `--local` acts on the cloud, if there is one. */
export function createRunChat(
  projectFolder: string,
  cloud?: Pick<Cloud, "region" | "endpoints">,
  clock?: StackClock,
): RunChat {
  if (cloud !== undefined) publishAddresses(projectFolder, cloud, clock);
  return async (line, options = {}) => {
    const { edges = {}, answers, stdin = "", isTerminal = false, commands = allCommands } = options;
    const [first = "", ...others] = typeof line === "string" ? [line] : line;
    const args = [...first.split(" ").filter(Boolean), ...others];
    const out: string[] = [];
    const error: string[] = [];
    const exitCode = await runCli(args, commands, {
      projectFolder,
      env: {},
      now: Date.now,
      sleep: async () => {},
      token: randomUUID,
      stdout: { write: (text) => void out.push(text), isTerminal },
      stderr: { write: (text) => void error.push(text), isTerminal },
      readStdin: async () => stdin,
      isStdinTerminal: answers !== undefined,
      ask: answers === undefined ? undefined : playAnswers(answers),
      signal: new AbortController().signal,
      ...edges,
    });
    const stdout = out.join("");
    const json = args.includes("--json") ? readJson(stdout) : [];
    return { exitCode, stdout, stderr: error.join(""), json };
  };
}

function readJson(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function playAnswers(answers: readonly Answer[]): Questions {
  const left = [...answers];
  const next = async (message: string) => {
    const answer = left.shift();
    if (answer === undefined) throw new Error(`Nobody answers: ${message}`);
    return typeof answer === "function" ? answer(message) : answer;
  };
  return {
    confirm: async (message) => (await next(message)) === true,
    text: async (message) => String(await next(message)),
    password: async (message) => String(await next(message)),
  };
}
