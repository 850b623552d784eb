import * as z from "zod/mini";

export const flowRequestSchema = z.object({
  flow: z.string(),
  appId: z.string(),
  region: z.optional(z.string()),
  /** JSON has no undefined: absent. */
  input: z.optional(z.unknown()),
  waitsFor: z.array(z.string()),
  since: z.number(),
  causedBy: z.optional(z.string()),
  /** Events about that message may have been received earlier. */
  causedByMessage: z.optional(z.string()),
  /** The first execution's id, if this one continues it. */
  identity: z.optional(z.string()),
  /** Events that earlier executions were given. */
  known: z.optional(z.array(z.string())),
  knownAt: z.optional(z.array(z.number())),
});

export type FlowRequest = z.infer<typeof flowRequestSchema>;

/**
 * An asynchronous invocation takes 1 MB, but each replay contains the input, and a checkpoint holds 256 KB.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxFlowInputBytes = 100_000;

export interface FlowStarter {
  /**
   * Repeatable: one flow per `ofEffect`, the first input counts.
   * @throws AwsCallError if Lambda or the flows table rejects the call or does not answer
   */
  start(request: FlowRequest, ofEffect: string): Promise<{ id: string }>;
}

export interface StartableFlow<in Input = never> {
  readonly name: string;
  readonly waitsFor: readonly string[];
  /** Never quotes the value. */
  readonly misfitOf: (input: unknown) => string | undefined;
  /** For type inference only. */
  readonly takes?: (input: Input) => void;
}
