import * as z from "zod/mini";

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_ErrorObject.html */
export const errorObjectSchema = z.object({
  ErrorMessage: z.optional(z.string()),
  ErrorType: z.optional(z.string()),
  ErrorData: z.optional(z.string()),
  StackTrace: z.optional(z.array(z.string())),
});

const outcomeFields = { Result: z.optional(z.string()), Error: z.optional(errorObjectSchema) };

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Operation.html */
const operationSchema = z.object({
  Id: z.string(),
  ParentId: z.optional(z.string()),
  Name: z.optional(z.string()),
  Type: z.enum(["EXECUTION", "STEP", "WAIT", "CALLBACK", "CONTEXT"]),
  SubType: z.optional(z.string()),
  StartTimestamp: z.date(),
  EndTimestamp: z.optional(z.date()),
  Status: z.enum(["STARTED", "PENDING", "READY", "SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT", "STOPPED"]),
  ExecutionDetails: z.optional(z.object({ InputPayload: z.optional(z.string()) })),
  StepDetails: z.optional(
    z.object({
      Attempt: z.optional(z.number()),
      NextAttemptTimestamp: z.optional(z.date()),
      ...outcomeFields,
    }),
  ),
  WaitDetails: z.optional(z.object({ ScheduledEndTimestamp: z.optional(z.date()) })),
  CallbackDetails: z.optional(z.object({ CallbackId: z.optional(z.string()), ...outcomeFields })),
  ContextDetails: z.optional(z.object({ ReplayChildren: z.optional(z.boolean()), ...outcomeFields })),
});

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Event.html */
const historyEventSchema = z.looseObject({
  EventType: z.string(),
  EventId: z.number(),
  EventTimestamp: z.date(),
  Id: z.optional(z.string()),
});

export const storedExecutionSchema = z.object({
  arn: z.string(),
  name: z.string(),
  functionName: z.string(),
  functionArn: z.string(),
  version: z.string(),
  payload: z.string(),
  startedAtMs: z.number(),
  executionTimeoutMs: z.number(),
  retentionMs: z.number(),
  status: z.enum(["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "STOPPED"]),
  endedAtMs: z.optional(z.number()),
  result: z.optional(z.string()),
  error: z.optional(errorObjectSchema),
  /** By start. */
  operations: z.array(operationSchema),
  callbacks: z.record(z.string(), z.object({ timesOutAtMs: z.optional(z.number()) })),
  events: z.array(historyEventSchema),
  untold: z.array(z.string()),
  invokeAtMs: z.optional(z.number()),
  failures: z.number(),
});

export type ErrorObject = z.infer<typeof errorObjectSchema>;
export type Operation = z.infer<typeof operationSchema>;
export type HistoryEvent = z.infer<typeof historyEventSchema>;
export type StoredExecution = z.infer<typeof storedExecutionSchema>;
export type ExecutionStatus = StoredExecution["status"];
