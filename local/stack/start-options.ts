import { parseArgs } from "node:util";
import { readArguments, readDataFolder, readPort, UsageError } from "../../build/read-arguments.ts";
import type { Seed } from "../platform/seed.ts";
import { readLocalSecrets } from "./read-local-secrets.ts";
import { readSeedFile } from "./read-seed-file.ts";

export interface StartOptions {
  /** Undefined keeps everything in memory. */
  readonly data: string | undefined;
  readonly port: number | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  readonly seed: Seed | undefined;
  readonly inspect: Readonly<Record<string, number>>;
}

const usage = `
Usage: npm start -- [--port <number>] [--data <folder>] [--secret <field>=<value>]… [--seed <file>] [--inspect <function>[=<port>]]…

Start the chat platform, the cloud and the functions on this machine. Ctrl-C stops everything.

  --port <number>           the console's port (4000); platform, HTTP API and Lambda's API have the three after it.
                            If one of them is taken, the next block of ten is used. 0: any free ports
  --data <folder>           keep the state, the ports and the webhook's password in this folder
  --secret <field>=<value>  add a field to the app's secret; may be repeated
  --seed <file>             the seed of a new local stack, as YAML: { apps: [{ appId, users: [{ uid }], groups, webhooks, bots, agents }] }
  --inspect <function>[=<port>]
                            let a debugger attach to a function (default port: 9229); may be repeated
  -h, --help                print this help
`;

export function readStartOptions(): StartOptions {
  return readArguments(usage, parseStartOptions);
}

const options = {
  port: { type: "string" },
  data: { type: "string" },
  secret: { type: "string", multiple: true },
  seed: { type: "string" },
  inspect: { type: "string", multiple: true },
} as const;

/** @throws UsageError if an option is invalid */
export function parseStartOptions(args: string[]): StartOptions {
  const { data, port, secret, seed, inspect = [] } = parseArgs({ args, options }).values;
  return {
    data: data === undefined ? undefined : readDataFolder(data),
    port: port === undefined ? undefined : readPort(port),
    secrets: readLocalSecrets(secret),
    seed: seed === undefined ? undefined : readSeedFile(seed),
    inspect: readInspect(inspect),
  };
}

const firstInspectorPort = 9229;

function readInspect(texts: readonly string[]): Readonly<Record<string, number>> {
  const named = texts.map((text, index) => {
    const [key = "", port = String(firstInspectorPort + index)] = text.split("=");
    const number = /^\d+$/.test(port) ? Number(port) : Number.NaN;
    if (key === "" || !(number <= 65_535)) {
      throw new UsageError(
        `--inspect names a function and its port, as in processEvents=9229, not "${text}".`,
      );
    }
    return [key, number] as const;
  });
  for (const [index, [key, port]] of named.entries()) {
    const before = named.slice(0, index).find(([other, taken]) => other === key || taken === port);
    if (before === undefined) continue;
    const twice = before[0] === key ? `the function ${key}` : `the port ${port}`;
    throw new UsageError(`--inspect names ${twice} twice.`);
  }
  return Object.fromEntries(named);
}
