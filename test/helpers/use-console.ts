import { afterAll, beforeAll } from "vitest";
import { createPageFiles } from "../../local/console/page-routes.ts";
import { type RunningConsole, startConsole } from "../../local/console/start-console.ts";
import type { LocalStack, LocalStackOptions } from "../../local/stack/local-stack.ts";
import { exchangeContents } from "../../local/stack/snapshots/exchange-contents.ts";
import { startPatientWorld } from "./start-patient-world.ts";
import { warmAndReset } from "./warm-receiver.ts";

export interface ConsoleUnderTest {
  readonly world: LocalStack;
  /** Returns an address of the console's server. */
  at(path: string): string;
  /** Sends requests to the console's server as its page does. */
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>;
  /** Sends JSON; by default, GET without a body. */
  send(path: string, body?: unknown, method?: string): Promise<{ status: number; body: unknown }>;
  /** Returns the answer of a request that succeeds. */
  answer<Answer>(path: string, body?: unknown, method?: string): Promise<Answer>;
}

const page = createPageFiles();
let built: Promise<void> | undefined;

/** One page for all files of a worker: to build it takes longer than most tests. */
const files = { build: () => (built ??= page.build()), read: page.read, close: async () => {} };

/** A worker's files share a stack with the same options; it ends with the worker's process. */
const stacks = new Map<string, { readonly world: LocalStack; putBack(): Promise<void> }>();

async function stackFor(options: LocalStackOptions): Promise<LocalStack> {
  const key = JSON.stringify(options);
  const known = stacks.get(key);
  await known?.putBack();
  if (known !== undefined) return known.world;
  const { environment, ...cloud } = options.cloud ?? {};
  const world = await startPatientWorld({
    ...options,
    cloud: { ...cloud, environment: { LOG_LEVEL: "DEBUG", ...environment } },
  });
  stacks.set(key, { world, putBack: keepStart(world) });
  return world;
}

/** Returns what makes a stack again what it is now. */
function keepStart(world: LocalStack) {
  const { platform, cloud, clock, snapshots } = world;
  const rows = platform.snapshot();
  const contents = cloud.contents();
  const switches = { ...platform.switches };
  return async () => {
    for (const { name } of snapshots.list()) snapshots.remove(name);
    await exchangeContents({ platform, cloud }, () => {
      clock?.set({ offsetMs: 0 });
      cloud.putBack(contents);
      platform.restore(rows);
      Object.assign(platform.switches, switches);
    });
    await warmAndReset(world);
  };
}

/** Gives the file's tests a console of their own, and a stack as if it had just been started. */
export function useConsole(options: LocalStackOptions = {}): ConsoleUnderTest {
  let world: LocalStack | undefined;
  let running: RunningConsole | undefined;
  beforeAll(async () => {
    world = await stackFor(options);
    running = await startConsole({
      localStack: world,
      report: (text) => process.stderr.write(`${text}\n`),
      files,
    });
  });
  afterAll(() => running?.close());
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
