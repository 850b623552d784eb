import type { SchedulingClock } from "./durable/drive-durable-store.ts";
import type { BatchEvent } from "./event-source.ts";
import type { HttpExchange } from "./gateway/http-gateway.ts";
import type { EndedInvocation } from "./lambda/lambda-options.ts";
import type { SentMessage } from "./queue/sent-messages.ts";

export interface CloudOptions {
  /** Where the HTTP API and Lambda's API listen; 0, the default of each, takes any free port. */
  ports?: { readonly http?: number; readonly lambda?: number };
  /** Keeps queues, tables and secrets in this folder. Default: in memory. */
  dataFolder?: string;
  /** The folder of serverless.yml. Default: this project's. */
  serviceFolder?: string;
  /** Added to the environment of every function, and to what `${env:…}` in serverless.yml reads. */
  environment?: Record<string, string>;
  /** Receives what the functions and serverless write, line by line. */
  log?: (line: string) => void;
  /** Called for each request to the HTTP API when it is answered. */
  onExchange?: ((exchange: HttpExchange) => void) | undefined;
  /** Called for each message that a queue takes. */
  onSent?: ((message: SentMessage) => void) | undefined;
  /** Receives each line of a function's log, with the function's key in serverless.yml. */
  onLine?: (line: string, functionKey: string) => void;
  /** Receives each line that Lambda itself writes into a function's log. */
  onLambdaLine?: (line: string, functionKey: string) => void;
  /** Called at the end of each invocation. */
  onInvocation?: (ended: EndedInvocation, functionKey: string) => void;
  /** Called for each batch that a queue handed to a function, with its outcome. */
  onEvent?: (event: BatchEvent) => void;
  /** Batches of one queue at the same time, unless serverless.yml sets `maximumConcurrency`. Default 2. */
  concurrency?: number;
  /** The ports of 127.0.0.1 for debuggers, by the keys of functions; 0 takes any free one. */
  inspect?: Readonly<Record<string, number>>;
  /** Reloads functions after each edit of their source. Default false. */
  reload?: boolean;
  /** Retries failed messages at once, instead of after the visibility timeout. Default false. */
  retryImmediately?: boolean;
  /** Replaces every queue's declared visibility timeout. */
  visibilityTimeoutSeconds?: number;
  /** The clock of queues, tables and flows, in milliseconds since 1970. The functions have the machine's. */
  now?: () => number;
  /**
   * Replaces `now`: a clock that also calls back, so that waiting work continues as soon as the clock is
   * moved.
   */
  clock?: SchedulingClock;
  /**
   * Returns how many milliseconds the functions' clock, log and metrics are ahead of the machine's. Default:
   * 0.
   */
  aheadMs?: () => number;
  /** Whether the schedules of serverless.yml run on time. Default false. */
  runsSchedules?: boolean;
  /** Whether the clock is being moved by a caller that runs what is due. Default: never. */
  isTimeHeld?: () => boolean;
}
