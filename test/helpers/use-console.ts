import { afterAll, beforeAll } from "vitest";
import { createPageFiles } from "../../local/console/page-routes.ts";
import { type RunningConsole, startConsole } from "../../local/console/start-console.ts";
import type { LocalStack, LocalStackOptions } from "../../local/stack/local-stack.ts";
import { startPatientWorld } from "./start-patient-world.ts";

export interface ConsoleUnderTest {
  readonly world: LocalStack;
  /** Gives the console's address, with what follows it. */
  at(path: string): string;
  /** Asks the console's server as its page does. */
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>;
  /** Sends JSON; by default, GET without a body. */
  send(path: string, body?: unknown, method?: string): Promise<{ status: number; body: unknown }>;
  /** Gives the answer of a request that succeeds. */
  answer<Answer>(path: string, body?: unknown, method?: string): Promise<Answer>;
}

const page = createPageFiles();
let built: Promise<void> | undefined;

/** One page for all files of a worker: to build it takes longer than most tests. */
const files = { build: () => (built ??= page.build()), read: page.read, close: async () => {} };

/** Starts a world with its console once for the file's tests. */
export function useConsole(options: LocalStackOptions = {}): ConsoleUnderTest {
  let world: LocalStack | undefined;
  let running: RunningConsole | undefined;
  beforeAll(async () => {
    const { environment, ...cloud } = options.cloud ?? {};
    world = await startPatientWorld({
      ...options,
      cloud: { ...cloud, environment: { LOG_LEVEL: "DEBUG", ...environment } },
    });
    running = await startConsole({
      localStack: world,
      report: (text) => process.stderr.write(`${text}\n`),
      files,
    });
  });
  afterAll(async () => {
    await running?.close();
    await world?.close();
  });
  const at = (path: string) => `${started(running).url}${path}`;
  const ask: ConsoleUnderTest["ask"] = async (path, init) => {
    const response = await fetch(at(path), init);
    return { status: response.status, body: await response.json() };
  };
  const send: ConsoleUnderTest["send"] = (path, body, method = body === undefined ? "GET" : "POST") => {
    const headers = { "content-type": "application/json" };
    return ask(path, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) });
  };
  return {
    at,
    ask,
    send,
    get world() {
      return started(world);
    },
    async answer<Answer>(...asked: Parameters<typeof send>) {
      const { status, body } = await send(...asked);
      if (status !== 200) throw new Error(`${asked[0]} answered ${status}: ${JSON.stringify(body)}`);
      return body as Answer;
    },
  };
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The console has not been started yet.");
  return value;
}
