import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { parseEnv, stripVTControlCharacters } from "node:util";
import * as z from "zod/mini";
import { serverlessFile } from "../../build/serverless-file.ts";
import { CliError, noRights, partlyDone, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import type { AwsCredentials } from "../target/identity.ts";
import { readStackState, type StackState, type Target } from "../target/target.ts";
import { toFailure } from "../to-failure.ts";
import { builtForOf } from "./deployments.ts";
import { endOfEvents, readFailures } from "./make-ready.ts";
import { serveCredentials } from "./serve-credentials.ts";

export async function packageService(
  { stage, region, folder }: { readonly stage: string; readonly region: string; readonly folder: string },
  options: ServerlessOptions,
) {
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

export async function readPackage(folder: string) {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  try {
    const template = await read("cloudformation-template-update-stack.json");
    const { service } = stateSchema.parse(JSON.parse(await read("serverless-state.json")));
    return {
      folder,
      template,
      stackTags: service.provider.stackTags ?? {},
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

/** The framework deploys by this file. */
const stateSchema = z.object({
  service: z.object({
    provider: z.object({ stackTags: z.nullish(z.record(z.string(), z.string())) }),
  }),
});

export function reasonOf(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) => /^Error:?$|^[A-Z]\w*Error:/.test(line.trim()));
  const said = lines.slice(from < 0 ? -5 : from).filter((line) => !/^\s+at |^\s*Error:$/.test(line));
  return said.slice(0, 12).join("\n");
}

/** Detects a variable that was set in the shell that packaged: logs would show the messages of all errors. */
export function showsTexts(template: string): boolean {
  return /"LOG_FOREIGN_MESSAGES": *"true"/.test(template);
}

interface ServerlessOptions extends Pick<CliEdges, "projectFolder" | "env" | "signal"> {
  readonly onLine: (line: string) => void;
  /** Served to the framework. Default: `env` has some. */
  readonly credentials?: () => Promise<AwsCredentials>;
}

const keptLines = 60;

/** Returns the last lines. Ends the framework on abort. @throws the signal's reason */
async function runServerless(
  args: readonly string[],
  { projectFolder, env, signal, onLine, credentials }: ServerlessOptions,
) {
  signal.throwIfAborted();
  await using server = credentials && (await serveCredentials(credentials));
  const child = spawn(process.execPath, [serverlessFile(projectFolder), ...args], {
    cwd: projectFolder,
    env: { ...env, ...server?.variables, SLS_NOTIFICATIONS_MODE: "off", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    // Starts a process group: Ctrl-C reaches only this process, which ends the framework.
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
  const lastError = server?.lastError();
  return { isDone: code === 0, lines: lastError === undefined ? lines : [lastError] };
}

export interface FrameworkChange {
  readonly command: readonly ["deploy" | "rollback", ...string[]];
  /** Default: the same command. A repeated rollback goes back further. */
  readonly again?: string;
  readonly onBegin?: (() => void) | undefined;
}

export async function letFrameworkChange(
  context: WorkContext,
  before: StackState | undefined,
  { command: [command, ...options], again, onBegin }: FrameworkChange,
): Promise<void> {
  const { target, edges, out } = context;
  const { stage, region, cloudFormation } = target;
  const sinceMs = before === undefined ? 0 : await endOfEvents(cloudFormation, before.id);
  const env = await frameworkEnvironment(context, deploymentMs);
  edges.signal.throwIfAborted();
  onBegin?.();
  const run = await runServerless([command, "--verbose", "--stage", stage, "--region", region, ...options], {
    ...edges,
    env,
    credentials: target.credentials,
    onLine: out.progress,
  });
  if (edges.signal.aborted) throw leftRunning(again);
  if (!run.isDone) throw await explainFailure(run.lines, sinceMs, target, again);
}

function leftRunning(again: string | undefined) {
  return new CliError(
    "interrupted",
    "LEFT_RUNNING",
    "Interrupted. CloudFormation continues what had begun.",
    again === undefined
      ? "See when it is over: npx cometchat-functions status"
      : `To wait until it is over, and to repeat it if it failed: ${again}`,
  );
}

export async function explainFailure(
  lines: readonly string[],
  sinceMs: number,
  { stackName, title, cloudFormation: client }: Pick<Target, "stackName" | "title" | "cloudFormation">,
  again?: string,
): Promise<CliError> {
  const runAgain = again === undefined ? ", and run this again." : `. Then: ${again}`;
  const state = await readStackState(client, stackName).catch((error: unknown) => toFailure(error));
  if (state instanceof CliError) {
    const { code, message, hint } = state;
    const says = `The deployment to ${title} failed (${reasonOf(lines)}), and its state is unknown: ${message}`;
    const remedy = again === undefined || code === "NO_RIGHTS" ? hint : undefined;
    const next = again ?? "npx cometchat-functions deploy";
    return partlyDone("STATE_UNKNOWN", says, `${remedy ?? "Look at the stack."} Then: ${next}`);
  }
  const failures = state ? await readFailures(client, state.id, sinceMs).catch(() => []) : [];
  const [failure = reasonOf(lines)] = failures;
  const reason = failure.replace(/\.$/, "");
  const standing = standingAfter(state);
  if (/not authorized|AccessDenied|Forbidden/i.test(reason)) {
    return noRights(
      "NO_RIGHTS",
      `The deployment to ${title} lacks a right: ${reason}. ${standing}`,
      `Give the identity this right, or use another${runAgain}`,
    );
  }
  if (/already exists/.test(reason)) {
    return partlyDone(
      "NAME_TAKEN",
      `The deployment to ${title} conflicts with an existing resource: ${reason}. ${standing}`,
      `Another resource of this account has the name: rename or delete it, or deploy another stage${runAgain}`,
    );
  }
  return partlyDone(
    "NOT_DEPLOYED",
    `The deployment to ${title} failed: ${reason}. ${standing}`,
    `Fix the cause${runAgain}`,
  );
}

function standingAfter(state: StackState | undefined) {
  if (state === undefined) return "There is no stack.";
  const { name, status } = state;
  return status === "UPDATE_ROLLBACK_COMPLETE" ? `${name} was rolled back.` : `${name} is ${status}.`;
}

export const deploymentMs = 30 * 60_000;

/**
 * Contains no credentials: the framework's process gets only the command's.
 * @throws CliError if they end too soon or belong to another account now, or a .env file replaces them
 */
export async function frameworkEnvironment({ target, edges }: WorkContext, minimumMs: number) {
  await refuseDotenv(edges.projectFolder, target.stage);
  await target.proveIdentity(minimumMs);
  return toFrameworkEnvironment(edges.env, { AWS_REGION: target.region });
}

/** Removes every variable that could choose other credentials than `variables`. */
export function toFrameworkEnvironment(
  env: CliEdges["env"],
  variables: Readonly<Record<string, string>>,
): CliEdges["env"] {
  const kept = Object.entries(env).filter(([name]) => !/^AWS_/i.test(name) || connectionVariables.test(name));
  return {
    ...Object.fromEntries(kept),
    ...variables,
    // The default profile in these files may name another address (`endpoint_url`).
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

/** Say how to reach AWS, not with which identity. */
const connectionVariables =
  /^AWS_(ENDPOINT_URL\w*|IGNORE_CONFIGURED_ENDPOINT_URLS|CA_BUNDLE|USE_FIPS_ENDPOINT|USE_DUALSTACK_ENDPOINT|STS_REGIONAL_ENDPOINTS|MAX_ATTEMPTS|RETRY_MODE|CLIENT_TIMEOUT)$/i;

/** With `useDotenv`, the file's AWS variables would replace empty ones. @throws CliError if there are any */
export async function refuseDotenv(projectFolder: string, stage: string): Promise<void> {
  const service = await readFile(join(projectFolder, "serverless.yml"), "utf8");
  if (!/^useDotenv:/m.test(service)) return;
  for (const file of [`.env.${stage}`, ".env"]) {
    const text = await readFile(join(projectFolder, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const names = Object.keys(parseEnv(text)).filter((name) => name.startsWith("AWS_"));
    if (names.length === 0) return;
    throw wrongUse(
      `${file} sets ${names.join(", ")}, which the framework reads and this command does not. Nothing was changed.`,
      `Set it in the shell instead, and remove it from ${file}.`,
    );
  }
}
