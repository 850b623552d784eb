import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import type { Selection } from "../../lib/queue/set-aside.ts";
import type { LookOptions } from "../../lib/queue/set-aside-queue.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { readQueueDepth } from "./queue-depth.ts";
import { type SelectionOptions, toSelection } from "./selection-options.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";

type Context<Options> = Pick<CommandContext<unknown, Options>, "target" | "edges" | "out" | "options">;

/** @throws CliError if the stage lacks a queue */
export async function openOperator({
  target,
  edges: { now, sleep, token, signal },
  out,
}: Omit<Context<never>, "options">): Promise<OperatorServices> {
  const { physicalId } = await target.stack();
  return {
    callAws: target.callAws,
    queueUrls: {
      events: physicalId("EventsQueue"),
      calls: physicalId("CallsQueue"),
      parkedLanes: physicalId("ParkedLanesQueue"),
      deadLetters: physicalId("DeadLetterQueue"),
      quarantine: physicalId("QuarantineQueue"),
    },
    now,
    // Only until no other process holds messages of the queue.
    sleep: async (ms) => {
      out.progress("waiting until no other process has messages of the queue");
      await sleep(ms, signal);
      signal.throwIfAborted();
    },
    token,
  };
}

export interface OpenQueue {
  readonly services: OperatorServices;
  readonly selection: Selection;
  readonly before: number;
  /** Undefined if the queue could not be asked. */
  after(): Promise<number | undefined>;
  readonly looking: LookOptions;
  /** For the change: `brought back 10 of 30`. */
  working(done: string, all: number): LookOptions;
}

/** @throws CliError, AwsCallError */
export async function openQueue(
  { target, edges, out, options }: Context<SelectionOptions>,
  kind: SetAsideKind,
): Promise<OpenQueue> {
  const services = await openOperator({ target, edges, out });
  const depth = () => readQueueDepth(services.callAws, services.queueUrls[kind.queue]);
  const before = await depth();
  const { signal } = edges;
  return {
    services,
    selection: toSelection(options, edges.now()),
    before,
    after: () => depth().catch(() => undefined),
    looking: lookingThrough(signal, out, ` of about ${before}`),
    working: (what, all) => ({
      signal,
      onProgress: ({ done }) => {
        if (done > 0 && done % 10 === 0) out.progress(`${what} ${done} of ${all}`);
      },
    }),
  };
}

/** Every tenth message: a few take no time. */
export function lookingThrough(signal: AbortSignal, out: Output, of = ""): LookOptions {
  return {
    signal,
    onProgress: ({ looked }) => {
      if (looked % 10 === 0) out.progress(`looked at ${looked}${of}`);
    },
  };
}

export interface QueueChange {
  readonly before: number;
  readonly after?: number | undefined;
  readonly unseen: number;
  readonly failure?: string | undefined;
}

export function printEnd({ unseen, failure }: QueueChange, out: Output, more = ""): void {
  if (unseen > 0) out.note(describeUnseen(unseen));
  if (failure === undefined) return;
  out.note(`It ended early: ${failure}`);
  out.note(`The rest is unchanged. Run it again to continue${more}.`);
}

export function describeUnseen(unseen: number): string {
  return `About ${unseen} more could not be read: another process has them, or they wait behind others of their conversation.`;
}

export function notFound({ one, option }: SetAsideKind, id: string): CliError {
  return new CliError(
    "notThere",
    "NOT_FOUND",
    `There is no ${one} with the id ${id}, or another process has received it.`,
    `List them: npx cometchat-functions dead-letters list${option}`,
  );
}
