import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { serverlessFile } from "../../../build/serverless-file.ts";
import { localCredentials } from "../local-aws.ts";
import { bundlingSchema } from "./bundling.ts";
import { serviceSchema } from "./service-definition.ts";

export interface ResolveOptions {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** All that serverless gets of an environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where serverless-esbuild puts what belongs beside the bundles. */
  readonly folder: string;
  log(line: string): void;
}

/** What a resolved service is reported as. */
export const resolvedSchema = z.object({ definition: serviceSchema, bundling: bundlingSchema });

/** What a service says once it is resolved, and how its functions are bundled. */
export type ResolvedService = z.infer<typeof resolvedSchema>;

const resolveTimeoutMs = 120_000;

/**
 * Resolves serverless.yml for the stage `local`, by serverless itself in a process of its own. May be repeated.
 * @throws Error with serverless's last lines when it does not come to an end
 */
export async function resolveService(options: ResolveOptions): Promise<ResolvedService> {
  const { serviceFolder, environment, folder, log } = options;
  const child = spawn(process.execPath, [serverlessFile(serviceFolder), "run", "--stage", "local"], {
    cwd: serviceFolder,
    env: { ...withoutAws(environment), ...credentials, LOCAL_CLOUD_BUILD_FOLDER: folder },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true, // a group of its own, so that all that it started ends with it
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
  child.once("exit", killGroup); // what it started may outlive it and keep the output open
  const giveUp = setTimeout(killGroup, resolveTimeoutMs);
  let message: unknown;
  child.once("message", (received) => {
    message = received;
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(giveUp);
  const parsed = messageSchema.safeParse(message);
  if (parsed.success) return resolvedSchema.parse(JSON.parse(parsed.data.report));
  const reason = signal ?? `exit code ${code}`;
  throw new Error(`serverless run ended with ${reason} before it was ready:\n${recent.join("\n")}`);
}

const messageSchema = z.object({ type: z.literal("resolved"), report: z.string() });

// No AWS variable of the user's gets through: neither credentials nor a profile nor a real endpoint.
const credentials = {
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  AWS_EC2_METADATA_DISABLED: "true",
};

function withoutAws(environment: ResolveOptions["environment"]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("AWS_")));
}
