import type { Route } from "./gateway/route-table.ts";
import type { FunctionDefinition } from "./lambda/function-definition.ts";

/** Feeds a queue to a function. */
export interface EventSourceMapping {
  readonly functionKey: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly maximumBatchingWindowMs: number;
  readonly maximumConcurrency?: number | undefined;
  readonly reportsItemFailures: boolean;
}

export interface CloudResource {
  readonly type: "queue" | "table" | "secret";
  readonly name: string;
  readonly arn: string;
  /** Queues only. */
  readonly url?: string | undefined;
}

/** Everything that serverless.yml declares and the local cloud runs. */
export interface CloudReport {
  readonly region: string;
  readonly functions: readonly FunctionDefinition[];
  readonly routes: readonly Route[];
  readonly mappings: readonly EventSourceMapping[];
  /** Function keys that a schedule invokes. */
  readonly schedules: readonly { readonly functionKey: string; readonly schedule: unknown }[];
  /** Logical id → resource. */
  readonly resources: Readonly<Record<string, CloudResource>>;
  /** The stack's outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
}
