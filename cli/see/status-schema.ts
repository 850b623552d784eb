import * as z from "zod/mini";
import { findingSchema } from "../../lib/operate/doctor/finding.ts";
import { pauseSchema } from "../pauses/pause-word.ts";

export const statusSchema = z.strictObject({
  at: z.iso.datetime(),
  /** CloudFormation's word. */
  stack: z.string(),
  /** With the command to type. */
  troubles: z.array(z.strictObject({ says: z.string(), type: z.optional(z.string()) })),
  /** What was to be looked at, and could not: `because` if a read was refused or not answered. */
  notLookedAt: z.array(
    z.strictObject({ what: z.string(), why: z.string(), because: findingSchema.shape.because }),
  ),
  /** Within the hour. */
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
      /** A run of the last five minutes failed, and no later runs prove that its cause is mended. */
      failsNow: z.boolean(),
      /** If the last runs failed, longer ago, and none came since. */
      lastFailedAt: z.optional(z.iso.datetime()),
      /** No run began after the last throttled one. */
      isThrottledNow: z.boolean(),
      averageMs: z.optional(z.number()),
      longestMs: z.optional(z.number()),
    }),
  ),
  apps: z.array(
    z.strictObject({
      appId: z.string(),
      /** From a sample if there are many lines. */
      handledPerMinute: z.number(),
      /** From receipt to the end of handling. */
      medianMs: z.optional(z.number()),
      slowMs: z.optional(z.number()),
      /** Of the last hour, by metric; absent if not asked. */
      failures: z.optional(z.record(z.string(), z.number())),
      /** Of `failures`, those after which no event of the app was handled. */
      failing: z.optional(z.array(z.string())),
      /** Breaker open. */
      closed: z.array(z.string()),
      /** Parked conversations now or within the hour. */
      isInTrouble: z.boolean(),
      paused: z.array(z.string()),
    }),
  ),
  pauses: z.array(pauseSchema),
  /** What was acted on, with the stack's outputs. */
  target: z.strictObject({
    kind: z.enum(["local", "stage"]),
    stage: z.string(),
    region: z.string(),
    account: z.string(),
    outputs: z.record(z.string(), z.string()),
  }),
});

export type Status = z.infer<typeof statusSchema>;
