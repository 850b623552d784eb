import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import * as z from "zod/mini";
import { serverlessFile } from "../../build/serverless-file.ts";
import { CliError } from "../cli-error.ts";
import { builtForOf } from "./deployments.ts";

export type ServicePackage = Awaited<ReturnType<typeof readPackage>>;

/**
 * May be repeated.
 * @throws CliError with the framework's reason
 */
export async function packageService(
  { stage, region, folder }: { readonly stage: string; readonly region: string; readonly folder: string },
  options: ServerlessOptions,
): Promise<ServicePackage> {
  const where = ["--stage", stage, "--region", region, "--package", folder];
  const run = await runServerless(["package", ...where], options);
  if (run.isDone) return await readPackage(folder);
  throw new CliError(
    "wrongUse",
    "NOT_PACKAGED",
    `The service could not be packaged for the stage ${stage}:\n${reasonOf(run.lines)}`,
    "Nothing was changed.",
  );
}

/** @throws CliError if the package does not exist */
export async function readPackage(folder: string) {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  try {
    /** The template that CloudFormation gets. */
    const template = await read("cloudformation-template-update-stack.json");
    const { service } = stateSchema.parse(JSON.parse(await read("serverless-state.json")));
    return {
      folder,
      template,
      stackTags: service.provider.stackTags ?? {},
      /** If known. */
      builtFor: builtForOf(template),
    };
  } catch (cause) {
    throw new CliError(
      "wrongUse",
      "NO_PACKAGE",
      `There is no package in ${folder}.`,
      "Make one: npx serverless package --stage <stage> --package <folder>",
      cause,
    );
  }
}

/** The framework deploys what it says. */
const stateSchema = z.object({
  service: z.object({
    provider: z.object({ stackTags: z.nullish(z.record(z.string(), z.string())) }),
  }),
});

/** It follows a line `Error:`, before the stack trace, if any. */
export function reasonOf(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) => /^Error:?$|^[A-Z]\w*Error:/.test(line.trim()));
  const said = lines.slice(from < 0 ? -5 : from).filter((line) => !/^\s+at |^\s*Error:$/.test(line));
  return said.slice(0, 12).join("\n");
}

/** Whether logs would show the messages of all errors: the variable was set in the shell that packaged. */
export function showsTexts(template: string): boolean {
  return /"LOG_FOREIGN_MESSAGES": *"true"/.test(template);
}

interface ServerlessOptions {
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** Enough to explain why it ended. */
const keptLines = 60;

/**
 * Returns its last lines, without colours. Ends the framework if the signal is aborted.
 * @throws the signal's reason
 */
export async function runServerless(
  args: readonly string[],
  { projectFolder, env, signal, onLine }: ServerlessOptions,
): Promise<{ readonly isDone: boolean; readonly lines: readonly string[] }> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [serverlessFile(projectFolder), ...args], {
    cwd: projectFolder,
    env: { ...env, SLS_NOTIFICATIONS_MODE: "off", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    // Own process group: Ctrl-C reaches only this process, which ends the framework in order.
    detached: true,
  });
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (text) => {
      const line = stripVTControlCharacters(text).trimEnd();
      if (line === "") return;
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine(line);
    });
  }
  const [code] = await once(child, "close");
  signal.removeEventListener("abort", stop);
  return { isDone: code === 0, lines };
}
