import type { SchedulingClock } from "../durable/drive-durable-store.ts";
import type { CloudFaults } from "../faults/cloud-faults.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import type { InspectorPort } from "./inspector-port.ts";
import type { FunctionClock, Receive } from "./runtime-api.ts";

export interface LambdaOptions {
  readonly functions: readonly FunctionDefinition[];
  readonly concurrency: number;
  /** Debugged functions by key; each has one process. Default: none. */
  readonly inspectors?: ReadonlyMap<string, InspectorPort> | undefined;
  readonly log: (line: string, from: FunctionDefinition) => void;
  readonly logOfLambda?: (line: string, from: FunctionDefinition) => void;
  readonly onInvocation?: (ended: EndedInvocation, of: FunctionDefinition) => void;
  /** Reserved concurrency by function; more invocations are throttled. Default: none. */
  readonly reserved?: ReadonlyMap<string, number>;
  readonly onThrottle?: (of: FunctionDefinition) => void;
  /** Removed when this process is killed. */
  readonly buildFolder: string;
  readonly asyncRetryDelaysMs?: readonly number[];
  readonly functionClock?: (() => FunctionClock) | undefined;
  /** Clock for retries of asynchronous invocations. Default: the machine's. */
  readonly clock?: SchedulingClock | undefined;
  readonly faults?: Pick<CloudFaults, "concurrencyOf" | "killPointFor"> | undefined;
}

export interface InvokeOptions {
  /** For a streamed response, whose outcome has no body. */
  readonly receive?: Receive | undefined;
  /** Default: a new one. */
  readonly requestId?: string | undefined;
}

export interface EndedInvocation {
  readonly requestId: string;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}
