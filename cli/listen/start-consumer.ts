import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { wrongUse } from "../cli-error.ts";
import type { ProcessEnvironment } from "../target/target.ts";

export interface LocalConsumer {
  /** Returns whether all of the event was handled. @throws Error if it fails or its process ends */
  handle(event: object): Promise<boolean>;
  hasEnded(): boolean;
  close(): Promise<void>;
}

interface StartConsumerOptions {
  readonly bundleFile: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
  readonly token: () => string;
  /** Of the target's clock before the machine's. */
  readonly aheadMs: number;
  /** Whether ENABLED_TRIGGERS is the option --triggers. */
  readonly isTyped?: boolean;
}

const timeoutMs = 60_000;

const messageSchema = z.object({
  ready: z.optional(z.literal(true)),
  id: z.optional(z.string()),
  answer: z.optional(z.object({ batchItemFailures: z.array(z.unknown()) })),
  error: z.optional(z.string()),
});

export async function startConsumer(options: StartConsumerOptions): Promise<LocalConsumer> {
  const { bundleFile, environment, onLine, token, aheadMs, isTyped } = options;
  const child = fork(join(import.meta.dirname, "consumer-process.mjs"), [bundleFile, String(aheadMs)], {
    // The command's arguments would end it with its parent process.
    execArgv: [],
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // The command handles Ctrl-C, and lets the consumer finish.
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
  const exited = once(child, "close").then(([code, signal]) => {
    const written = errors.join("\n");
    const [, wrongTrigger] = /^(?:Unknown|Invalid)TriggerError: (.*)$/m.exec(written) ?? [];
    const error =
      wrongTrigger === undefined
        ? new Error(`The consumer's process ended (${signal ?? code}). ${written}`)
        : wrongUse(isTyped ? forOption(wrongTrigger) : wrongTrigger);
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

function forOption(wrongTrigger: string) {
  return wrongTrigger.replace("ENABLED_TRIGGERS", "--triggers").replace(" Check config/triggers.yml.", "");
}

const marginMs = 120_000;

/**
 * Starts a new process before the credentials end or after the process has ended. If none starts, the event
 * fails, and the next one tries again.
 */
export async function startRenewedConsumer(
  read: () => Promise<ProcessEnvironment>,
  start: (variables: ProcessEnvironment["variables"]) => Promise<LocalConsumer>,
  now: () => number,
): Promise<LocalConsumer> {
  const open = async () => {
    const { variables, endsAt } = await read();
    return { consumer: await start(variables), endsMs: endsAt?.getTime() ?? Number.POSITIVE_INFINITY };
  };
  let current = await open();
  let renewal: Promise<void> | undefined;
  const closing: Promise<void>[] = [];
  const renew = async () => {
    const { consumer } = current;
    current = await open();
    closing.push(consumer.close());
  };
  return {
    handle: async (event) => {
      if (now() > current.endsMs - marginMs || current.consumer.hasEnded()) {
        renewal ??= renew().finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      return current.consumer.handle(event);
    },
    hasEnded: () => current.consumer.hasEnded(),
    close: async () => {
      await renewal?.catch(() => undefined); // its starter has got the error
      await Promise.all([...closing, current.consumer.close()]);
    },
  };
}
