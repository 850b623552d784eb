import * as z from "zod/mini";

/** What a flow is started with. */
export const flowRequestSchema = z.object({
  flow: z.string(),
  appId: z.string(),
  region: z.optional(z.string()),
  /** As it was given to `start`; the flow's own schema reads it. */
  input: z.unknown(),
  waitsFor: z.array(z.string()),
  /** Milliseconds since 1970: events received since then are the flow's to wait for. */
  since: z.number(),
  /** The fact that the flow was started for; it does not wake it. */
  causedBy: z.optional(z.string()),
  /** The message of that fact: what is about it may have been received before it. */
  causedByMessage: z.optional(z.string()),
});

export type FlowRequest = z.infer<typeof flowRequestSchema>;

/**
 * An asynchronous invocation takes 1 MB, but the input comes back with every replay, and a checkpoint holds 256 KB.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxFlowInputBytes = 100_000;
