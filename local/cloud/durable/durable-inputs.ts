import * as z from "zod/mini";
import { errorObjectSchema, storedExecutionSchema } from "./stored-execution.ts";

const identifier = z.string().check(z.minLength(1));
/** Maximum of an execution: 366 days. */
const maxSeconds = 31_622_400;
const fromOneSecond = z.int().check(z.minimum(1), z.maximum(maxSeconds));
const fromZeroSeconds = z.int().check(z.minimum(0), z.maximum(maxSeconds));

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html */
export const operationUpdateSchema = z.object({
  Id: identifier,
  ParentId: z.optional(z.string()),
  Name: z.optional(z.string().check(z.regex(/^[\x20-\x7E]{1,256}$/))),
  Type: z.enum(["EXECUTION", "STEP", "WAIT", "CALLBACK", "CONTEXT", "CHAINED_INVOKE"]),
  SubType: z.optional(z.string()),
  Action: z.enum(["START", "SUCCEED", "FAIL", "RETRY"]),
  Payload: z.optional(z.string()),
  Error: z.optional(errorObjectSchema),
  ContextOptions: z.optional(z.object({ ReplayChildren: z.optional(z.boolean()) })),
  StepOptions: z.optional(z.object({ NextAttemptDelaySeconds: z.optional(fromOneSecond) })),
  WaitOptions: z.optional(z.object({ WaitSeconds: z.optional(fromOneSecond) })),
  CallbackOptions: z.optional(
    z.object({
      TimeoutSeconds: z.optional(fromZeroSeconds),
      HeartbeatTimeoutSeconds: z.optional(z.literal(0)),
    }),
  ),
});

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_CheckpointDurableExecution.html */
export const checkpointSchema = z.object({
  CheckpointToken: identifier,
  Updates: z.optional(z.array(operationUpdateSchema)),
  ClientToken: z.optional(z.string()),
});

const pageFields = {
  Marker: z.optional(z.string()),
  MaxItems: z.optional(z.coerce.number().check(z.multipleOf(1), z.minimum(0), z.maximum(1000))),
};

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecutionState.html */
export const stateQuerySchema = z.object({ CheckpointToken: identifier, ...pageFields });

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecutionHistory.html */
export const historyQuerySchema = z.strictObject({
  IncludeExecutionData: z.optional(z.literal("true")),
  ...pageFields,
});

/**
 * Refuses aliases. UNVERIFIED: the executions that Lambda lists for one.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListDurableExecutionsByFunction.html
 */
export const listQuerySchema = z.strictObject({
  DurableExecutionName: z.optional(z.string()),
  Qualifier: z.optional(z.string().check(z.regex(/^(\$LATEST|\d+)$/))),
  ReverseOrder: z.optional(z.enum(["true", "false"])),
  Statuses: z.optional(z.array(storedExecutionSchema.shape.status)),
  ...pageFields,
});

export const invocationOutputSchema = z.discriminatedUnion("Status", [
  z.object({ Status: z.literal("PENDING") }),
  z.object({ Status: z.literal("SUCCEEDED"), Result: z.nullish(z.string()) }),
  z.object({ Status: z.literal("FAILED"), Error: z.nullish(errorObjectSchema) }),
]);

export type OperationUpdate = z.infer<typeof operationUpdateSchema>;
export type StateQuery = z.infer<typeof stateQuerySchema>;
export type HistoryQuery = z.infer<typeof historyQuerySchema>;
export type ListQuery = z.infer<typeof listQuerySchema>;
