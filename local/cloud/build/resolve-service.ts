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
  readonly serviceFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  log(line: string): void;
}

export const resolvedSchema = z.object({ definition: serviceSchema, bundling: bundlingSchema });

export type ResolvedService = z.infer<typeof resolvedSchema>;

const resolveTimeoutMs = 120_000;

/** Runs serverless for the stage `local`. @throws Error with serverless's last lines */
export async function resolveService(options: ResolveOptions): Promise<ResolvedService> {
  const { serviceFolder, environment, log } = options;
  const child = spawn(process.execPath, [serverlessFile(serviceFolder), "run", "--stage", "local"], {
    cwd: serviceFolder,
    env: { ...withoutAws(environment), ...credentials },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true, // a group of its own: everything it starts ends with it
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
      // The group has ended.
    }
  };
  child.once("exit", killGroup); // its child processes may outlive it and keep the output open
  const timeout = setTimeout(killGroup, resolveTimeoutMs);
  let message: unknown;
  child.once("message", (received) => {
    message = received;
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(timeout);
  const parsed = messageSchema.safeParse(message);
  if (parsed.success) return resolvedSchema.parse(JSON.parse(parsed.data.report));
  const reason = signal ?? `exit code ${code}`;
  throw new Error(`serverless run ended with ${reason} before it was ready:\n${recent.join("\n")}`);
}

const messageSchema = z.object({ type: z.literal("resolved"), report: z.string() });

// Removes the user's credentials, profiles and endpoints.
const credentials = {
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  AWS_EC2_METADATA_DISABLED: "true",
};

function withoutAws(environment: ResolveOptions["environment"]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("AWS_")));
}
