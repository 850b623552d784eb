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
      /** Some minutes late; absent if CloudWatch has no figure. */
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
      /** In the last minutes; from a sample of lines if there are many. */
      handledPerMinute: z.number(),
      /** From receipt to the end of handling. */
      medianMs: z.optional(z.number()),
      slowMs: z.optional(z.number()),
      /** Failures of the last hour, by metric; absent if not asked. */
      failures: z.optional(z.record(z.string(), z.number())),
      /** Destinations whose breaker is open after too many failures. */
      closed: z.array(z.string()),
      /** Has parked conversations, or had within the hour. */
      isInTrouble: z.boolean(),
      paused: z.array(z.string()),
    }),
  ),
});

export type Status = z.infer<typeof statusSchema>;
