import * as z from "zod/mini";

export const flowRequestSchema = z.object({
  flow: z.string(),
  appId: z.string(),
  region: z.optional(z.string()),
  /** As given to `start`; the flow's schema parses it. */
  input: z.unknown(),
  waitsFor: z.array(z.string()),
  /** Milliseconds since 1970: the flow waits for events received from then on. */
  since: z.number(),
  /** The fact that started the flow; it does not wake the flow. */
  causedBy: z.optional(z.string()),
  /** The message of that fact: events about it may have been received earlier. */
  causedByMessage: z.optional(z.string()),
});

export type FlowRequest = z.infer<typeof flowRequestSchema>;

/**
 * An asynchronous invocation takes 1 MB, but the input is part of every replay, and a checkpoint holds 256
 * KB.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxFlowInputBytes = 100_000;

export interface FlowStarter {
  /**
   * Starts a flow and returns its id. May be repeated: one flow runs per `ofEffect`, and the first input
   * counts.
   * @throws AwsCallError if Lambda or the flows table rejects the call or does not answer
   */
  start(request: FlowRequest, ofEffect: string): Promise<{ id: string }>;
}

/** The part of a flow's definition that starting it needs. */
export interface StartableFlow<in Input = never> {
  readonly name: string;
  /** Names of events. */
  readonly waitsFor: readonly string[];
  /** Returns where an input does not match and what is expected, never the value; undefined if it matches. */
  readonly misfitOf: (input: unknown) => string | undefined;
  /** For type inference only: the flow's input. */
  readonly takes?: (input: Input) => void;
}
