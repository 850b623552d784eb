import { resolve } from "node:path";
import process from "node:process";
import { inspect } from "node:util";
import { findProjectFolder } from "../build/folders.ts";
import { createOutput } from "../cli/output.ts";
import { printLogLine, readLogLine } from "../cli/see/log-line.ts";
import { InspectError } from "./cloud/lambda/inspector-port.ts";
import { isTaken } from "./cloud/local-server.ts";
import { type RunningConsole, startConsole } from "./console/start-console.ts";
import { DataFault, toDataFault } from "./files/data-fault.ts";
import { FolderTakenError } from "./files/lock-folder.ts";
import { currentTriggers } from "./platform/webhooks/trigger-table.ts";
import { type DataFolder, KeptStackError, openDataFolder } from "./stack/data-folder.ts";
import { endWithNpm } from "./stack/end-with-npm.ts";
import { exitOnWrongConfig } from "./stack/exit-on-wrong-config.ts";
import { countFound, describeFound } from "./stack/found-data.ts";
import { JourneyError, walkJourney } from "./stack/journey.ts";
import { type LocalStack, startLocalStack } from "./stack/local-stack.ts";
import { chooseBlock, type Ports, portBlock } from "./stack/port-block.ts";
import { printStep } from "./stack/print-step.ts";
import { publishAddresses } from "./stack/publish-addresses.ts";
import { readStartOptions } from "./stack/start-options.ts";
import { writeAddresses } from "./stack/write-addresses.ts";

// `npm start`

const defaultPort = 4000;
const portTries = 3;
/** npm forwards a Ctrl-C that the terminal also sent. */
const sameCtrlCMs = 500;

const terminal = { write: (text: string) => process.stdout.write(text), isTerminal: process.stdout.isTTY };
const output = createOutput({
  stdout: terminal,
  stderr: terminal,
  isJson: false,
  now: Date.now,
  hasColours: !process.env.NO_COLOR,
});
const options = readStartOptions();
await exitOnWrongConfig();
const folder = options.data === undefined ? undefined : openOrExit(options.data);
let isQuiet = true;
let localStack: LocalStack | undefined;
let view: RunningConsole | undefined;
let stoppingSinceMs: number | undefined;
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
process.on("SIGHUP", stop);
endWithNpm(() => stop("SIGTERM"));
process.stdout.on("error", stop);
// Such as a full disk. What is committed is kept.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${toDataFault(error, options.data ?? ".")?.message ?? inspect(error)}\n`);
  process.exit(1);
});

process.stdout.write("Starting the platform, the cloud and the functions …\n");
const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
const wantedPorts =
  options.port === undefined ? (folder?.kept?.ports ?? portBlock(defaultPort)) : portBlock(options.port);
const started = await startOnFreePorts(portTries);
localStack = started.localStack;
view = started.view;
const functionPorts = functionPortsOf(started);
folder?.keep({ ports: portsOf(started), functionPorts });
printMovedUrls();
const removeAddresses = publishAddresses(findProjectFolder(), localStack.cloud, localStack.clock, view.url);
if (stoppingSinceMs !== undefined) await stopNow(localStack);

const { finishedRestore } = localStack;
if (finishedRestore !== undefined)
  process.stdout.write(`\nFinished restoring the snapshot ${finishedRestore}, which was interrupted.\n`);
const found = countFound(localStack);
if (found.messages > 0) {
  process.stdout.write(`\nFound in ${folder?.path}: ${describeFound(found)}.\n`);
  const older = localStack.cloud.describeOlder();
  if (older !== undefined) process.stdout.write(`${older}\n`);
} else if (options.seed === undefined) {
  await showJourney(localStack);
}
const { ignored } = localStack.cloud;
if (ignored.length > 0) process.stdout.write(`\nThe local stack ignores ${ignored.join(", ")}.\n`);
if (stoppingSinceMs === undefined) process.stdout.write(writeAddresses(localStack, view.url, Date.now()));
isQuiet = false;

function openOrExit(path: string): DataFolder {
  try {
    const opened = openDataFolder(path);
    if (opened.killedPid !== undefined) {
      process.stdout.write(
        `Process ${opened.killedPid} was killed while it worked in ${path}; this one continues.\n`,
      );
    }
    return opened;
  } catch (error) {
    const known = toDataFault(error, path) ?? error;
    const isKnown = [DataFault, FolderTakenError, KeptStackError].some((kind) => known instanceof kind);
    if (!(isKnown && known instanceof Error)) throw error;
    process.stderr.write(`${known.message}\n`);
    process.exit(1);
  }
}

interface Started {
  readonly localStack: LocalStack;
  readonly view: RunningConsole;
}

async function startOnFreePorts(tries: number): Promise<Started> {
  const free = await chooseBlock(wantedPorts);
  let running: LocalStack | undefined;
  try {
    running = await startLocalStack({
      ports: free,
      triggerIds: Object.keys(currentTriggers),
      dataFolder: folder?.path,
      secrets: options.secrets,
      ...(options.seed !== undefined && { seed: options.seed }),
      runsSchedules: true,
      // Functions see only a stand-in host's certificate from this machine's environment.
      cloud: {
        reload: true,
        inspect: options.inspect,
        functionPorts: folder?.kept?.functionPorts,
        environment: {
          // The console's page shows what lines contain at DEBUG.
          LOG_LEVEL: process.env.LOG_LEVEL ?? "DEBUG",
          LOG_FOREIGN_MESSAGES: process.env.LOG_FOREIGN_MESSAGES ?? "true",
          ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: resolve(certificates) }),
        },
      },
      log: (line) => {
        if (!isQuiet && isForTerminal(line)) printLine(line);
      },
    });
    const console = await startConsole({
      localStack: running,
      port: free.console,
      report: (text) => process.stderr.write(`${text}\n`),
    });
    printMoved(free);
    return { localStack: running, view: console };
  } catch (error) {
    await running?.close();
    if (isTaken(error) && tries > 1) return await startOnFreePorts(tries - 1);
    folder?.close();
    const known = toDataFault(error, options.data ?? ".") ?? error;
    if (!(known instanceof InspectError || known instanceof DataFault)) throw error;
    process.stderr.write(`${known.message}\n`);
    process.exit(1);
  }
}

/** The page shows each event's whole path; the terminal only on request. */
function isForTerminal(line: string) {
  return process.env.LOG_LEVEL !== undefined || !line.includes('"level":"DEBUG"');
}

function printLine(text: string): void {
  const [, time] = /"timestamp":"([^"]+)"/.exec(text) ?? [];
  if (!process.stdout.isTTY || !text.startsWith("{") || time === undefined)
    return void process.stdout.write(`${text}\n`);
  const line = readLogLine({ eventId: "", source: "", atMs: 0, text });
  printLogLine({ ...line, time, source: String(line.fields.function ?? "") }, output);
}

function printMoved(free: Ports) {
  if (free.console === wantedPorts.console) return;
  const { console: wanted } = wantedPorts;
  const now =
    free.console === 0 ? "any free ones are used" : `${free.console} to ${free.console + 3} are used`;
  process.stdout.write(`Of the ports ${wanted} to ${wanted + 3} one is taken; ${now}. Choose with --port.\n`);
}

/** Agents that the platform keeps may call the ports of before. */
function printMovedUrls() {
  for (const [key, port] of Object.entries(folder?.kept?.functionPorts ?? {})) {
    const now = functionPorts[key];
    if (now === undefined || now === port) continue;
    process.stdout.write(`The port ${port} of the function URL of ${key} is taken; ${now} is used.\n`);
  }
}

async function showJourney(running: LocalStack) {
  process.stdout.write("\nA first message and its way:\n\n");
  try {
    await walkJourney(running, printStep);
  } catch (error) {
    if (!(error instanceof JourneyError)) throw error;
    if (stoppingSinceMs !== undefined) return; // interrupted, not failed
    process.stderr.write(`\n${error.message}\n`);
  }
}

function portsOf({ view: { url }, localStack: { platform, cloud } }: Started): Ports {
  return {
    console: portOf(url),
    platform: platform.port,
    http: portOf(cloud.httpUrl),
    lambda: portOf(cloud.lambdaUrl),
  };
}

function functionPortsOf({ localStack: { cloud } }: Started): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(cloud.functionUrls).map(([key, url]) => [key, portOf(url)]));
}

function portOf(address: string) {
  return Number(new URL(address).port);
}

function stop(signal: NodeJS.Signals | Error) {
  const nowMs = performance.now();
  if (stoppingSinceMs !== undefined) {
    if (signal === "SIGINT" && nowMs - stoppingSinceMs > sameCtrlCMs) process.exit(130);
    return;
  }
  stoppingSinceMs = nowMs;
  if (localStack !== undefined) void stopNow(localStack);
}

async function stopNow(running: LocalStack): Promise<never> {
  isQuiet = true;
  process.stdout.write("\nStopping … Ctrl-C again ends it without waiting for running functions.\n");
  removeAddresses();
  await view?.close();
  await running.close();
  folder?.close();
  process.exit(0);
}
