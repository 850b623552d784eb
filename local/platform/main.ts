import { readFile } from "node:fs/promises";
import { enableCompileCache, flushCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Platform, PlatformOptions } from "./create-platform.ts";
import { defaultSeed } from "./default-seed.ts";
import type { AppSeed, Seed } from "./seed.ts";

// Starts the platform alone: `npm run platform -- --port 4100 --data chat.sqlite`.

// Keeps the modules stripped of their types, which takes most of a start. It works for what is imported after it.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));

const defaultPort = 4_100;

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    data: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help === true) {
  process.stdout.write(
    "Usage: npm run platform -- [--port <number>] [--data <SQLite file>] [--seed <YAML file>]\n",
  );
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
  const seed = await readSeed(values.seed);
  if (seed === undefined) return;
  const platform = await listenOrMove({
    port,
    seed,
    ...(values.data === undefined ? {} : { dataFile: values.data }),
  });
  const stop = () => void platform.close().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // Whoever reads this may stop the platform at once.
  process.stdout.write(welcome(platform, seed));
  flushCompileCache();
}

async function listenOrMove(options: PlatformOptions & { port: number }): Promise<Platform> {
  const { createPlatform } = await import("./create-platform.ts");
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

// The YAML reader is loaded only when a file is named: it would slow every other start down.
async function readSeed(file: string | undefined): Promise<Seed | undefined> {
  if (file === undefined) return defaultSeed;
  try {
    const { seedFromYaml } = await import("./seed-yaml.ts");
    return seedFromYaml(await readFile(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The seed ${file} cannot be used. ${reason}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

function welcome(platform: Platform, seed: Seed): string {
  const [app] = seed.apps;
  if (app === undefined) return `The local chat platform is running at ${platform.url}/_platform/\n`;
  const users = app.users ?? [];
  const [sender, receiver = sender] = users;
  return `The local chat platform is running. Stop it with Ctrl+C.

  Overview          ${platform.url}/_platform/
  Fidelity          ${platform.url}/_platform/fidelity
  Chat API          ${platform.appUrl(app.appId, app.region)}
  Management API    ${platform.managementUrl}
  App, region       ${app.appId}, ${app.region}
  Users             ${users.map((user) => user.uid).join(", ")}
  Keys              ${app.fullAccessKey === defaultSeed.apps[0].fullAccessKey ? "public and worthless, they open nothing but this emulation" : "those of the seed"}
${sender === undefined || receiver === undefined ? "" : example(platform, app, { sender: sender.uid, receiver: receiver.uid })}
`;
}

function example(platform: Platform, app: AppSeed, pair: { sender: string; receiver: string }): string {
  const key = app.fullAccessKey === defaultSeed.apps[0].fullAccessKey ? app.fullAccessKey : "<fullAccessKey>";
  return `
Send a message from ${pair.sender} to ${pair.receiver}:

  curl -s ${platform.appUrl(app.appId, app.region)}/messages \\
    -H 'apikey: ${key}' -H 'onBehalfOf: ${pair.sender}' -H 'content-type: application/json' \\
    -d '{"receiver":"${pair.receiver}","receiverType":"user","category":"message","type":"text","data":{"text":"Hello"}}'
`;
}
