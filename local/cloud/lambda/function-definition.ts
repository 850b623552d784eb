export interface FunctionDefinition {
  readonly key: string;
  readonly name: string;
  readonly arn: string;
  /** `functions/webhook.handler`, within `taskRoot`. */
  readonly handler: string;
  readonly taskRoot: string;
  readonly region: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Default: Text. */
  readonly logFormat?: "Text" | "JSON" | undefined;
  /** Present with `durableConfig`. */
  readonly durable?: { readonly executionTimeoutMs: number; readonly retentionMs: number } | undefined;
}

/** Point at which a process is killed: the `nth` request of an invocation to a service. */
export interface KillPoint {
  readonly service: "sqs" | "dynamodb" | "secretsmanager" | "eventbridge" | "lambda" | "chat" | "other";
  readonly operation?: string;
  /** From 1. */
  readonly nth: number;
  /** Before the request is sent, or after its answer has arrived and before it is read. */
  readonly when: "before" | "after";
}
