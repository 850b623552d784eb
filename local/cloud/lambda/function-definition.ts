import * as z from "zod/mini";

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
  /** Retries of a failed asynchronous invocation. Default: 2. */
  readonly maximumRetryAttempts?: number | undefined;
  /** Present with `durableConfig`. */
  readonly durable?: { readonly executionTimeoutMs: number; readonly retentionMs: number } | undefined;
}

/** Point at which a process is killed: the `nth` request of an invocation to a service. */
export const killPointSchema = z.strictObject({
  service: z.enum(["sqs", "dynamodb", "secretsmanager", "eventbridge", "lambda", "chat", "other"]),
  operation: z.exactOptional(z.string().check(z.regex(/^\w{1,60}$/))),
  /** From 1. */
  nth: z.int().check(z.gte(1), z.lte(1000)),
  /** Before the request is sent, or after its answer has arrived and before it is read. */
  when: z.enum(["before", "after"]),
});

export type KillPoint = Readonly<z.infer<typeof killPointSchema>>;
