import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";

/** The project's consumer in a process of its own. */
export interface LocalConsumer {
  /** Hands it an event, and tells whether all of it was handled. @throws Error when it fails, or its process ends */
  handle(event: object): Promise<boolean>;
  /** Whether its process is no more: nothing is handled any longer. */
  hasEnded(): boolean;
  /** Ends it, once it has answered for what it has. */
  close(): Promise<void>;
}

export interface StartConsumerOptions {
  /** The bundled function. */
  readonly bundleFile: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Gets each line of its log. */
  readonly onLine: (line: string) => void;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/** As serverless.yml has it for the deployed one. */
const timeoutMs = 60_000;

const messageSchema = z.object({
  ready: z.optional(z.literal(true)),
  id: z.optional(z.string()),
  answer: z.optional(z.object({ batchItemFailures: z.array(z.unknown()) })),
  error: z.optional(z.string()),
});

/** Starts it. @throws Error with what it printed where its code cannot be loaded */
export async function startConsumer(options: StartConsumerOptions): Promise<LocalConsumer> {
  const { bundleFile, environment, onLine, token } = options;
  const child = fork(join(import.meta.dirname, "consumer-process.mjs"), [bundleFile], {
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C is the command's: it lets the consumer end what it has begun.
    detached: true,
  });
  const errors: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on("line", onLine);
  if (child.stderr) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      errors.push(line);
      if (errors.length > 20) errors.shift();
    });
  }
  const waiting = new Map<string, PromiseWithResolvers<boolean>>();
  const ready = Promise.withResolvers<void>();
  child.on("message", (message) => {
    const { ready: isReady, id = "", answer, error } = messageSchema.parse(message);
    if (isReady) return ready.resolve();
    const asked = waiting.get(id);
    waiting.delete(id);
    if (answer !== undefined) asked?.resolve(answer.batchItemFailures.length === 0);
    else asked?.reject(new Error(`The consumer failed: ${error}`));
  });
  let ended: Error | undefined;
  const exited = once(child, "exit").then(() => {
    const error = new Error(`The consumer's process ended. ${errors.join("\n")}`);
    ended = error;
    ready.reject(error);
    for (const asked of waiting.values()) asked.reject(error);
    waiting.clear();
  });
  await ready.promise;

  return {
    handle: async (event) => {
      if (ended !== undefined) throw ended;
      const id = token();
      const asked = Promise.withResolvers<boolean>();
      waiting.set(id, asked);
      child.send({ id, event, timeoutMs }, (error) => error && asked.reject(error));
      return asked.promise;
    },
    hasEnded: () => ended !== undefined,
    close: async () => {
      await Promise.allSettled([...waiting.values()].map(({ promise }) => promise));
      child.kill("SIGKILL");
      await exited;
    },
  };
}
