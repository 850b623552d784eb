import * as z from "zod/mini";

const mappingSchema = z.object({
  functionKey: z.string(),
  queueUrl: z.string(),
  queueArn: z.string(),
  batchSize: z.number(),
  maximumBatchingWindowMs: z.number(),
  maximumConcurrency: z.optional(z.number()),
  reportsItemFailures: z.boolean(),
});

const resourceSchema = z.object({
  type: z.enum(["queue", "table", "secret"]),
  name: z.string(),
  arn: z.string(),
  /** Queues only. */
  url: z.optional(z.string()),
});

/** What the process that runs the functions tells its parent when everything is there. */
export const cloudReportSchema = z.object({
  type: z.literal("ready"),
  region: z.string(),
  /** Function key of serverless.yml → name in the Lambda API. */
  functionNames: z.record(z.string(), z.string()),
  mappings: z.array(mappingSchema),
  /** Function keys that a schedule invokes. */
  schedules: z.array(z.object({ functionKey: z.string(), schedule: z.unknown() })),
  /** Logical id → resource. */
  resources: z.record(z.string(), resourceSchema),
});

export type CloudReport = z.infer<typeof cloudReportSchema>;
export type EventSourceMapping = z.infer<typeof mappingSchema>;
export type CloudResource = z.infer<typeof resourceSchema>;
