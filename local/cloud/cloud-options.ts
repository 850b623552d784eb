import type { SchedulingClock } from "./durable/drive-durable-store.ts";
import type { BatchEvent } from "./event-source.ts";
import type { HttpExchange } from "./gateway/http-gateway.ts";
import type { EndedInvocation } from "./lambda/lambda-options.ts";
import type { FunctionClock } from "./lambda/runtime-api.ts";
import type { SentMessage } from "./queue/sent-messages.ts";

export interface CloudOptions {
  /** Default 0: any free port. */
  ports?: { readonly http?: number; readonly lambda?: number };
  /** Ports by function key. Default, or if taken: any free one. */
  functionPorts?: Readonly<Record<string, number>> | undefined;
  /** Keeps queues, tables and secrets in this folder. Default: in memory. */
  dataFolder?: string;
  /** Default: this project's folder. */
  serviceFolder?: string;
  /** Added to every function's environment, and what `${env:…}` reads. */
  environment?: Record<string, string>;
  log?: (line: string) => void;
  onExchange?: ((exchange: HttpExchange) => void) | undefined;
  onSent?: ((message: SentMessage) => void) | undefined;
  onLine?: (line: string, functionKey: string) => void;
  onLambdaLine?: (line: string, functionKey: string) => void;
  onInvocation?: (ended: EndedInvocation, functionKey: string) => void;
  onEvent?: (event: BatchEvent) => void;
  /** Concurrency per queue without `maximumConcurrency`. Default 2. */
  concurrency?: number;
  /** Debuggers' ports on 127.0.0.1 by function key; 0: any free one. */
  inspect?: Readonly<Record<string, number>>;
  reload?: boolean;
  /** Replaces every queue's declared visibility timeout. */
  visibilityTimeoutSeconds?: number;
  /** Default: the machine's. Moving it continues waiting work. */
  clock?: SchedulingClock;
  /** Clock of the functions, their log and metrics. Default: the machine's. */
  functionClock?: () => FunctionClock;
  /** Whether serverless.yml's schedules run on time. Default false. */
  runsSchedules?: boolean;
  /** True while the caller moves the clock. Default: never. */
  isTimeHeld?: () => boolean;
}
