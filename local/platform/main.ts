import process from "node:process";
import { parseArgs } from "node:util";
import { createPlatform, type Platform, type PlatformOptions } from "./create-platform.ts";
import { defaultSeed } from "./default-seed.ts";

// Starts the platform alone: `npm run platform -- --port 4100 --data chat.sqlite`.

const defaultPort = 4_100;

const { values } = parseArgs({
  options: { port: { type: "string" }, data: { type: "string" }, help: { type: "boolean", short: "h" } },
});

if (values.help === true) {
  process.stdout.write("Usage: npm run platform -- [--port <number>] [--data <SQLite file>]\n");
} else {
  await start();
}

async function start(): Promise<void> {
  const port = values.port === undefined ? defaultPort : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    process.stderr.write(`--port must be a number from 0 to 65535, not "${values.port}".\n`);
    process.exitCode = 2;
    return;
  }
  const platform = await listenOrMove({
    port,
    ...(values.data === undefined ? {} : { dataFile: values.data }),
  });
  process.stdout.write(welcome(platform));
  const stop = () => void platform.close().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

async function listenOrMove(options: PlatformOptions & { port: number }): Promise<Platform> {
  try {
    return await createPlatform(options);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    process.stderr.write(
      `Port ${options.port} is taken, so a free one is used. Name another with --port, or stop what listens there.\n`,
    );
    return await createPlatform({ ...options, port: 0 });
  }
}

function welcome(platform: Platform): string {
  const [app] = defaultSeed.apps;
  return `The local chat platform is running. Stop it with Ctrl+C.

  Overview          ${platform.url}/_platform/
  Chat API          ${platform.appUrl(app.appId)}
  Management API    ${platform.managementUrl}
  App, region       ${app.appId}, ${app.region}
  Users             ${app.users.map((user) => user.uid).join(", ")}
  Keys              public and worthless, they open nothing but this emulation

Send a message from alice to support:

  curl -s ${platform.appUrl(app.appId)}/messages \\
    -H 'apikey: ${app.fullAccessKey}' -H 'onBehalfOf: alice' -H 'content-type: application/json' \\
    -d '{"receiver":"support","receiverType":"user","category":"message","type":"text","data":{"text":"Hello"}}'

`;
}
