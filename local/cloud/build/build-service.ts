import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { localCredentials } from "../local-aws.ts";
import { type ServiceDefinition, serviceSchema } from "./service-definition.ts";

export interface BuildOptions {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** What serverless.yml's `${env:…}` reads, besides the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  log(line: string): void;
}

export interface BuiltService {
  readonly definition: ServiceDefinition;
  /** A temporary folder that is this build's own: nothing else writes or removes it. */
  readonly folder: string;
  /** Where the functions' `handler` paths begin. */
  readonly taskRoot: string;
  /** Removes the folder. */
  close(): Promise<void>;
}

const buildTimeoutMs = 120_000;

/**
 * Resolves serverless.yml for the stage `local` and builds its functions as for a deployment, by serverless itself in a process of its own.
 * @throws Error with serverless's last lines when it does not come to an end
 */
export async function buildService(options: BuildOptions): Promise<BuiltService> {
  const folder = await mkdtemp(join(tmpdir(), "local-cloud-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const definition = await runServerless(options, folder);
    return { definition, folder, taskRoot: join(folder, ".build"), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function runServerless(
  { serviceFolder, environment, log }: BuildOptions,
  folder: string,
): Promise<ServiceDefinition> {
  const child = spawn(process.execPath, [serverlessFile, "run", "--stage", "local"], {
    cwd: serviceFolder,
    env: { ...withoutAws(process.env), ...environment, ...credentials, LOCAL_CLOUD_BUILD_FOLDER: folder },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true, // a group of its own, so that the bundler ends with it
  });
  const recent: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      recent.push(line);
      if (recent.length > 40) recent.shift();
      log(line);
    });
  }
  const killGroup = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nobody of the group is left.
    }
  };
  child.once("exit", killGroup); // the bundler may outlive it and keep the output open
  const giveUp = setTimeout(killGroup, buildTimeoutMs);
  let report: unknown;
  child.once("message", (message) => {
    report = message;
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(giveUp);
  const parsed = reportSchema.safeParse(report);
  if (parsed.success) return serviceSchema.parse(JSON.parse(parsed.data.definition));
  const reason = signal ?? `exit code ${code}`;
  throw new Error(`serverless run ended with ${reason} before it was ready:\n${recent.join("\n")}`);
}

const reportSchema = z.object({ type: z.literal("built"), definition: z.string() });

const serverlessFile = join(
  import.meta.dirname,
  ...["..", "..", "..", "node_modules", "serverless", "bin", "serverless.js"],
);

// No AWS variable of the user's gets through: neither credentials nor a profile nor a real endpoint.
const credentials = {
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  AWS_EC2_METADATA_DISABLED: "true",
};

function withoutAws(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("AWS_")));
}
