import type { SchedulingClock } from "./durable/drive-durable-store.ts";
import type { BatchEvent } from "./event-source.ts";
import type { HttpExchange } from "./gateway/http-gateway.ts";
import type { EndedInvocation } from "./lambda/lambda-options.ts";
import type { FunctionClock } from "./lambda/runtime-api.ts";
import type { SentMessage } from "./queue/sent-messages.ts";

export interface CloudOptions {
  /** Where the HTTP API and Lambda's API listen; 0, the default of each, takes any free port. */
  ports?: { readonly http?: number; readonly lambda?: number };
  /** Where functions' URLs listen, by function key. Default, and if one is taken: any free port. */
  functionPorts?: Readonly<Record<string, number>> | undefined;
  /** Keeps queues, tables and secrets in this folder. Default: in memory. */
  dataFolder?: string;
  /** The folder of serverless.yml. Default: this project's. */
  serviceFolder?: string;
  /** Added to the environment of every function, and to what `${env:…}` in serverless.yml reads. */
  environment?: Record<string, string>;
  /** Lines of the functions and serverless. */
  log?: (line: string) => void;
  /** Called for each request to the HTTP API when it is answered. */
  onExchange?: ((exchange: HttpExchange) => void) | undefined;
  /** Called for each message that a queue takes. */
  onSent?: ((message: SentMessage) => void) | undefined;
  /** Lines of a function's log; keys are those of serverless.yml. */
  onLine?: (line: string, functionKey: string) => void;
  /** Lines that Lambda itself writes into a function's log. */
  onLambdaLine?: (line: string, functionKey: string) => void;
  /** Called at the end of each invocation. */
  onInvocation?: (ended: EndedInvocation, functionKey: string) => void;
  /** Called for each batch that a queue handed to a function, with its outcome. */
  onEvent?: (event: BatchEvent) => void;
  /** Batches of one queue at a time, unless serverless.yml sets `maximumConcurrency`. Default 2. */
  concurrency?: number;
  /** Debuggers' ports on 127.0.0.1 by function key; 0 takes any free one. */
  inspect?: Readonly<Record<string, number>>;
  reload?: boolean;
  /** Replaces every queue's declared visibility timeout. */
  visibilityTimeoutSeconds?: number;
  /** The clock of queues, tables and flows, in milliseconds since 1970. The functions have the machine's. */
  now?: () => number;
  /** Replaces `now`; its callbacks continue waiting work as soon as the clock is moved. */
  clock?: SchedulingClock;
  /** Of the functions, their log and metrics. Default: the machine's. */
  functionClock?: () => FunctionClock;
  /** Whether serverless.yml's schedules run on time. Default false. */
  runsSchedules?: boolean;
  /** The caller moves the clock and runs what is due. Default: never. */
  isTimeHeld?: () => boolean;
}
