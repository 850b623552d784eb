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

/** Starts flows. */
export interface FlowStarter {
  /**
   * Starts a flow, and gives its id. May be repeated: one flow runs for one `ofEffect`, whatever it is started with.
   * @throws AwsCallError when Lambda or the flows table refuses it or gives no answer
   */
  start(request: FlowRequest, ofEffect: string): Promise<{ id: string }>;
}

/** The part of a flow's definition that starting it takes. */
export interface StartableFlow<in Input = never> {
  readonly name: string;
  /** Names of events. */
  readonly waitsFor: readonly string[];
  /** Returns where an input does not fit and what is expected, never the value; undefined if all fits. */
  readonly misfitOf: (input: unknown) => string | undefined;
  /** For the compiler alone: what it is started with. */
  readonly takes?: (input: Input) => void;
}
