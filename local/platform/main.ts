import { readFile } from "node:fs/promises";
import { enableCompileCache, flushCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readArguments, readDataFolder, readPort } from "../../build/read-arguments.ts";
import type { Platform, PlatformOptions } from "./create-platform.ts";
import { defaultSeed } from "./default-seed.ts";
import type { AppSeed, Seed } from "./seed.ts";

// Caches modules stripped of their types, which takes most of a start. Applies to later imports only.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ??
    fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)),
);

const defaultPort = 4_100;

const usage = `
Usage: npx cometchat-functions platform [--port <number>] [--data <folder>] [--seed <YAML file>]

Starts the emulated chat platform alone. Ctrl-C ends it.

  --port <number>     Listen on this port (default 4100, or a free one if it is taken; 0: any free port)
  --data <folder>     Keep the state in this folder, as npm start does
  --seed <YAML file>  Start with these apps, users and groups
  -h, --help          Print this help
`;

const options = { port: { type: "string" }, data: { type: "string" }, seed: { type: "string" } } as const;
const given = readArguments(usage, (args) => {
  const { port, data, seed } = parseArgs({ args, options }).values;
  return {
    port: port === undefined ? defaultPort : readPort(port),
    data: data === undefined ? undefined : readDataFolder(data),
    seed,
  };
});
await start();

async function start() {
  const { port, data } = given;
  const seed = await readSeed(given.seed);
  if (seed === undefined) return;
  const folder = data === undefined ? undefined : await lockOrExit(data);
  const platform = await listenOrMove({ port, seed, ...(folder && { dataFile: folder.dataFile }) });
  const stop = () => {
    void platform.close().then(() => {
      folder?.release();
      process.exit(0);
    });
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // The output's reader may stop the platform.
  process.stdout.write(welcome(platform, seed));
  flushCompileCache();
}

async function lockOrExit(folder: string) {
  const { FolderTakenError, lockFolder } = await import("../files/lock-folder.ts");
  const { makePrivateDatabase, makePrivateFolder } = await import("../files/private-files.ts");
  makePrivateFolder(folder);
  try {
    const { release } = lockFolder(folder);
    return { dataFile: makePrivateDatabase(folder, "platform.sqlite"), release };
  } catch (error) {
    if (!(error instanceof FolderTakenError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function listenOrMove(options: PlatformOptions & { port: number }) {
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

// Imports the YAML reader only for a file: it slows the start.
async function readSeed(file: string | undefined) {
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

function welcome(platform: Platform, seed: Seed) {
  const [app] = seed.apps;
  if (app === undefined) return `The local chat platform is running at ${platform.url}/_platform/\n`;
  const users = app.users ?? [];
  const [sender, receiver = sender] = users;
  return `The local chat platform is running. Stop it with Ctrl+C.

  State, controls   ${platform.url}/_platform/
  Fidelity          ${platform.url}/_platform/fidelity
  Chat API          ${platform.appUrl(app.appId, app.region)}
  Management API    ${platform.managementUrl}
  App, region       ${app.appId}, ${app.region}
  Users             ${users.map((user) => user.uid).join(", ")}
  Keys              ${app.fullAccessKey === defaultSeed.apps[0].fullAccessKey ? "public and worthless, they open nothing but this emulation" : "those of the seed"}
${sender === undefined || receiver === undefined ? "" : example(platform, app, { sender: sender.uid, receiver: receiver.uid })}
`;
}

function example(platform: Platform, app: AppSeed, pair: { sender: string; receiver: string }) {
  const key = app.fullAccessKey === defaultSeed.apps[0].fullAccessKey ? app.fullAccessKey : "<fullAccessKey>";
  return `
Send a message from ${pair.sender} to ${pair.receiver}:

  curl -s ${platform.appUrl(app.appId, app.region)}/messages \\
    -H 'apikey: ${key}' -H 'onBehalfOf: ${pair.sender}' -H 'content-type: application/json' \\
    -d '{"receiver":"${pair.receiver}","receiverType":"user","category":"message","type":"text","data":{"text":"Hello"}}'
`;
}
