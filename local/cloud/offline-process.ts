import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type CloudReport, cloudReportSchema } from "./cloud-report.ts";
import { localCredentials } from "./local-aws.ts";
import type { Endpoints } from "./provision.ts";

export interface OfflineOptions {
  /** The folder of serverless.yml. */
  serviceFolder: string;
  endpoints: Endpoints;
  /** Added to every function's environment, and to the one that serverless.yml's `${env:…}` reads. */
  environment: Record<string, string>;
  log(line: string): void;
}

export interface OfflineProcess {
  readonly httpUrl: string;
  readonly lambdaUrl: string;
  readonly report: CloudReport;
  /** Resolves when the process and everything it started has ended. */
  close(): Promise<void>;
}

const startTimeoutMs = 60_000;
const attempts = 3; // somebody may take a free port before serverless listens on it

/** Runs the service's functions by `serverless offline` in a process of its own, which ends with this one. */
export async function startOfflineProcess(options: OfflineOptions): Promise<OfflineProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (attempt === attempts || !String(error).includes("EADDRINUSE")) throw error;
    }
  }
}

async function startOnce(options: OfflineOptions): Promise<OfflineProcess> {
  const [httpPort, lambdaPort] = await Promise.all([findFreePort(), findFreePort()]);
  const child = spawn(process.execPath, commandLine(httpPort, lambdaPort), {
    cwd: options.serviceFolder,
    env: environmentOf(options),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true, // a group of its own: Ctrl-C reaches this process, which then ends the group
  });
  const recent: string[] = [];
  let isClosing = false;
  const readLines = async (stream: Readable | null) => {
    if (!stream) return;
    const lines = createInterface({ input: stream }).on("line", (line) => {
      if (isClosing) return; // the bundler complains when it is cut off
      recent.push(line);
      if (recent.length > 40) recent.shift();
      options.log(line);
    });
    await once(lines, "close");
  };
  const output = Promise.all([readLines(child.stdout), readLines(child.stderr)]);
  const killGroup = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nobody of the group is left.
    }
  };
  // Not "close", which would not come: Node counts the channel that close() below disconnects.
  const ended = once(child, "exit").then(async ([code, signal]) => {
    killGroup(); // what the child started, such as the bundler, may outlive it and keep the output open
    await output;
    return signal ?? `exit code ${code}`;
  });

  const giveUp = setTimeout(killGroup, startTimeoutMs);
  const failed = ended.then((reason) => {
    throw new Error(`serverless offline ended with ${reason} before it was ready:\n${recent.join("\n")}`);
  });
  try {
    const [message] = await Promise.race([once(child, "message"), failed]);
    const report = cloudReportSchema.parse(message);
    failed.catch(() => {});
    return {
      httpUrl: `http://127.0.0.1:${httpPort}`,
      lambdaUrl: `http://127.0.0.1:${lambdaPort}`,
      report,
      async close() {
        isClosing = true;
        const insist = setTimeout(killGroup, 2_000);
        if (child.connected) child.disconnect();
        await ended;
        clearTimeout(insist);
      },
    };
  } catch (error) {
    killGroup();
    throw error;
  } finally {
    clearTimeout(giveUp);
  }
}

const serverlessFile = join(
  import.meta.dirname,
  ...["..", "..", "node_modules", "serverless", "bin", "serverless.js"],
);

function commandLine(httpPort: number, lambdaPort: number): string[] {
  return [
    serverlessFile,
    ...["offline", "start", "--host", "127.0.0.1", "--noPrependStageInUrl", "--noSponsor"],
    ...["--httpPort", String(httpPort), "--lambdaPort", String(lambdaPort)],
    ...["--terminateIdleLambdaTime", "900"], // seconds; like Lambda, keeps idle functions for some minutes
  ];
}

// No AWS variable of the user's gets through: neither credentials nor a profile nor a real endpoint.
function environmentOf({ endpoints, environment }: OfflineOptions): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"));
  return {
    ...Object.fromEntries(own),
    ...environment,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
    LOCAL_CLOUD: JSON.stringify({ ...endpoints, environment }),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("The system gave no free port on 127.0.0.1.");
}
