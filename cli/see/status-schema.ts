import * as z from "zod/mini";

/** A stage's status, in JSON. */
export const statusSchema = z.strictObject({
  at: z.iso.datetime(),
  /** CloudFormation's word. */
  stack: z.string(),
  /** What needs attention, with the command to type. */
  troubles: z.array(z.strictObject({ says: z.string(), type: z.optional(z.string()) })),
  /** The scheduled doctor's last result within the hour. */
  doctor: z.optional(z.strictObject({ at: z.iso.datetime(), failed: z.number() })),
  queues: z.array(
    z.strictObject({
      queue: z.string(),
      waiting: z.number(),
      taken: z.number(),
      oldestSeconds: z.optional(z.number()),
    }),
  ),
  /** In the last hour. */
  functions: z.array(
    z.strictObject({
      function: z.string(),
      invocations: z.number(),
      errors: z.number(),
      throttles: z.number(),
      averageMs: z.optional(z.number()),
      longestMs: z.optional(z.number()),
    }),
  ),
  apps: z.array(
    z.strictObject({
      appId: z.string(),
      handledPerMinute: z.number(),
      medianMs: z.optional(z.number()),
      slowMs: z.optional(z.number()),
      failures: z.optional(z.record(z.string(), z.number())),
      closed: z.array(z.string()),
      isInTrouble: z.boolean(),
      paused: z.array(z.string()),
    }),
  ),
});

export type Status = z.infer<typeof statusSchema>;
