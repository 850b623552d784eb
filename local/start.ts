import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type RunningConsole, startConsole } from "./console/start-console.ts";
import { exitOnWrongConfig } from "./exit-on-wrong-config.ts";
import { freePort } from "./free-port.ts";
import { createJourney, JourneyError } from "./journey.ts";
import { currentTriggers } from "./platform/webhooks/trigger-table.ts";
import { printStep } from "./print-step.ts";
import { readLocalSecrets } from "./read-local-secrets.ts";
import { tellWorld } from "./tell-world.ts";
import { startWorld, type World } from "./world.ts";

// `npm start`: starts everything, shows the first message's journey, and keeps running until Ctrl-C.

const defaultPlatformPort = 4000;

const { data, port: wantedPort, secrets } = readOptions();
await exitOnWrongConfig();
const journey = createJourney();
let isQuiet = true;
let world: World | undefined;
let view: RunningConsole | undefined;
let isStopping = false;
process.on("SIGINT", stop);
process.on("SIGTERM", stop);

const platformPort = await freePort(wantedPort);
if (platformPort !== wantedPort && wantedPort !== 0) {
  process.stdout.write(
    `Port ${wantedPort} is taken; the platform listens on ${platformPort}. Choose with --port.\n`,
  );
}
const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
process.stdout.write("Starting the platform, the cloud and the functions …\n");
world = await startWorld({
  platformPort,
  triggerIds: Object.keys(currentTriggers),
  dataFolder: data,
  secrets,
  // Of this machine's environment the functions see nothing but the certificate of a stand-in for another host.
  cloud: { environment: certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: resolve(certificates) } },
  log: (line) => {
    if (!isQuiet) process.stdout.write(`${line}\n`);
  },
  onBatch: journey.noteBatch,
});
view = await startConsole({ world });
const untellWorld = tellWorld(join(import.meta.dirname, ".."), world.cloud);
if (isStopping) await stopNow(world);

process.stdout.write("\nA first message and its way:\n\n");
try {
  await journey.walk(world, printStep);
} catch (error) {
  if (!(error instanceof JourneyError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
}
process.stdout.write(addresses(world, view.url));
isQuiet = false;

interface Options {
  readonly data: string | undefined;
  readonly port: number;
  readonly secrets: Readonly<Record<string, string>>;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: "string" },
        port: { type: "string" },
        secret: { type: "string", multiple: true },
      },
    });
    const port = Number(values.port ?? defaultPlatformPort);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${values.port} is no port.`);
    return { data: values.data, port, secrets: readLocalSecrets(values.secret) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.stderr.write(
      "Usage: npm start -- [--port <number>] [--data <folder>] [--secret <field>=<value>]…\n",
    );
    process.exit(2);
  }
}

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  if (world !== undefined) void stopNow(world);
}

async function stopNow(running: World): Promise<never> {
  isQuiet = true;
  process.stdout.write("\nStopping …\n");
  untellWorld();
  await view?.close();
  await running.close();
  process.exit(0);
}

function addresses({ platform, cloud, app, webhook }: World, consoleUrl: string): string {
  const { username, password } = webhook;
  return `
Open
  ${consoleUrl}/   everything that happens here, to be seen and tried

Addresses
  Chat API        ${platform.appUrl(app.appId)}
  Receiver        ${webhook.url}
  Own functions   ${cloud.httpUrl}
  Lambda          ${cloud.lambdaUrl}

Write another message, from alice to support:
  curl -s ${platform.appUrl(app.appId)}/messages -H 'apikey: ${app.fullAccessKey}' \\
    -H 'onBehalfOf: alice' -H 'content-type: application/json' \\
    -d '{"receiver":"support","receiverType":"user","type":"text","data":{"text":"What is the price?"}}'

Send a delivery of your own (this password is made anew at each start and opens nothing else):
  curl -i ${webhook.url} -u ${username}:${password} -H 'content-type: application/json' \\
    -d '{"trigger":"message_sent","appId":"${app.appId}","data":{}}'

Ctrl-C ends everything. The functions' log follows.

`;
}
