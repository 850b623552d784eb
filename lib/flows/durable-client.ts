import {
  type DurableExecutionClient,
  DurableExecutionClientError,
  DurableExecutionClientErrorScope,
} from "@aws/durable-execution-sdk-js";
import * as z from "zod/mini";
import { AwsCallError, throttlingCodes } from "../aws/aws-call.ts";
import { isError } from "../base/realm.ts";
import { type CallDurable, timestamp } from "./durable-api.ts";

export type DurableClient = DurableExecutionClient;

interface Invocation {
  readonly remainingMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

/**
 * Calls Lambda without the AWS SDK, whose client is six times as much code
 * (docs/internals/decisions.md#flows).
 * @param token returns a unique idempotency token
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_CheckpointDurableExecution.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecutionState.html
 */
export function createDurableClient(
  call: CallDurable,
  token: () => string,
  invocation: Invocation,
): DurableClient {
  return {
    checkpoint: async ({ DurableExecutionArn: arn = "", ...input }) => {
      const parts = ["durable-executions", arn, "checkpoint"];
      const body = { ClientToken: token(), ...input };
      const send = async () => call("CheckpointDurableExecution", { method: "POST", parts }, body);
      const hasOutcome = input.Updates?.some(({ Type, Action }) => Type === "STEP" && Action !== "START");
      const answer = await ask(hasOutcome ? async () => persist(send, invocation) : send);
      return checkpointAnswerSchema.parse(answer);
    },
    getExecutionState: async ({ DurableExecutionArn: arn = "", ...query }) => {
      const parts = ["durable-executions", arn, "state"];
      const address = { method: "GET", parts, query } as const;
      return stateAnswerSchema.parse(await ask(() => call("GetDurableExecutionState", address)));
    },
  };
}

/** A step whose outcome is not stored counts as crashed. */
async function persist(send: () => Promise<unknown>, { remainingMs, sleep, random }: Invocation) {
  for (let limitMs = 500; ; limitMs = Math.min(2 * limitMs, 8_000)) {
    try {
      return await send();
    } catch (error) {
      const waitMs = (limitMs * (1 + random())) / 2;
      if (!isPassing(error) || remainingMs() < waitMs + marginMs) throw error;
      await sleep(waitMs);
    }
  }
}

const marginMs = 1_000;

function isPassing(error: unknown) {
  if (!(error instanceof AwsCallError)) return false;
  const { status = 500, code } = error;
  return status >= 500 || status === 429 || throttlingCodes.test(code);
}

/** The SDK retries INVOCATION errors, and fails the flow for EXECUTION. */
async function ask(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    throw new DurableExecutionClientError(isError(error) ? error.message : "The call failed.", {
      scope: DurableExecutionClientErrorScope[isPermanent(error) ? "EXECUTION" : "INVOCATION"],
      cause: error,
    });
  }
}

/**
 * The rest may pass, such as an outdated token.
 * @see https://github.com/aws/aws-durable-execution-sdk-js/issues/917
 */
function isPermanent(error: unknown) {
  if (!(error instanceof AwsCallError)) return false;
  const { message, Message } = Object(error.answer());
  const isInvalid = error.code === "InvalidParameterValueException";
  return error.status === 413 || (isInvalid && !/^invalid checkpoint token/i.test(message ?? Message));
}

const text = z.optional(z.string());
const error = z.optional(
  z.object({
    ErrorMessage: text,
    ErrorType: text,
    ErrorData: text,
    StackTrace: z.optional(z.array(z.string())),
  }),
);

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Operation.html */
const operationSchema = z.object({
  Id: z.string(),
  ParentId: text,
  Name: text,
  Type: z.enum(["EXECUTION", "CONTEXT", "STEP", "WAIT", "CALLBACK", "CHAINED_INVOKE"]),
  SubType: text,
  StartTimestamp: timestamp,
  EndTimestamp: z.optional(timestamp),
  Status: z.enum(["STARTED", "PENDING", "READY", "SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT", "STOPPED"]),
  ExecutionDetails: z.optional(z.object({ InputPayload: text })),
  ContextDetails: z.optional(
    z.object({ ReplayChildren: z.optional(z.boolean()), Result: text, Error: error }),
  ),
  StepDetails: z.optional(
    z.object({
      Attempt: z.optional(z.number()),
      NextAttemptTimestamp: z.optional(timestamp),
      Result: text,
      Error: error,
    }),
  ),
  WaitDetails: z.optional(z.object({ ScheduledEndTimestamp: z.optional(timestamp) })),
  CallbackDetails: z.optional(z.object({ CallbackId: text, Result: text, Error: error })),
});
const stateAnswerSchema = z.object({ Operations: z.array(operationSchema), NextMarker: text });
const checkpointAnswerSchema = z.object({
  CheckpointToken: text,
  NewExecutionState: z.object({ Operations: z.optional(z.array(operationSchema)), NextMarker: text }),
});
