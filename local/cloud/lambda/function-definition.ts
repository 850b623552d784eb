/** A function as it is deployed. */
export interface FunctionDefinition {
  /** Its key in serverless.yml. */
  readonly key: string;
  /** Its name in the Lambda API. */
  readonly name: string;
  readonly arn: string;
  /** File and export, e.g. `functions/webhook.handler`, within `taskRoot`. */
  readonly handler: string;
  readonly taskRoot: string;
  readonly region: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** How the runtime writes what goes to `console`. Default: Text. */
  readonly logFormat?: "Text" | "JSON" | undefined;
  /** Present when `durableConfig` makes it a durable function. */
  readonly durable?: { readonly executionTimeoutMs: number; readonly retentionMs: number } | undefined;
}

/** Where a process is to be killed: at the `nth` request of an invocation to a service. */
export interface KillPoint {
  readonly service: "sqs" | "dynamodb" | "secretsmanager" | "eventbridge" | "lambda" | "chat" | "other";
  /** Counts requests of this operation only, e.g. `UpdateItem`; AWS services alone have one. */
  readonly operation?: string;
  /** 1 is the first one. */
  readonly nth: number;
  /** Before the request leaves, or when its answer has come and nobody has read it. */
  readonly when: "before" | "after";
}
