import type { Route } from "./gateway/route-table.ts";
import type { StageSettings } from "./gateway/throttle.ts";
import type { FunctionDefinition } from "./lambda/function-definition.ts";

export interface EventSourceMapping {
  readonly uuid: string;
  readonly logicalId: string;
  readonly functionKey: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly maximumConcurrency?: number | undefined;
  /** `ReportBatchItemFailures`: the function's answer lists the failed messages. */
  readonly reportsItemFailures: boolean;
}

export interface CloudResource {
  readonly type: "queue" | "table" | "secret";
  readonly name: string;
  readonly arn: string;
  readonly url?: string | undefined;
}

export interface CloudReport {
  readonly region: string;
  readonly functions: readonly FunctionDefinition[];
  readonly routes: readonly Route[];
  readonly stageSettings: StageSettings;
  readonly mappings: readonly EventSourceMapping[];
  readonly schedules: readonly { readonly functionKey: string; readonly schedule: unknown }[];
  readonly resources: Readonly<Record<string, CloudResource>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** Events of functions, or their settings, that have no effect. */
  readonly ignored: readonly string[];
}
