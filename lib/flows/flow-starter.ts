import type { AwsCaller } from "../aws/aws-call.ts";
import { AwsCallError } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import type { FlowStarter } from "../effects/flow-request.ts";
import type { FlowMarks } from "./flow-marks.ts";

export interface FlowStarterOptions {
  readonly callAws: AwsCaller;
  readonly marks: FlowMarks;
  /** The durable function's, as it is deployed. */
  readonly functionName: string;
}

/** Lambda's alias of the version that new flows run on. The framework makes it for every durable function. */
const alias = "durable";

/**
 * Starts flows by asynchronous invocation, which alone lets them run for up to a year. Lambda takes a second invocation of
 * the same name for the first one.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function createFlowStarter({ callAws, marks, functionName }: FlowStarterOptions): FlowStarter {
  return {
    start: async (request, ofEffect) => {
      const id = flowIdOf(request.flow, functionName, ofEffect);
      // Before it runs: what happens from now on is kept until the flow asks for it.
      await marks.start(request.appId, request.waitsFor, id);
      try {
        await callAws({
          service: "lambda",
          target: "Lambda.Invoke",
          input: request,
          rest: {
            method: "POST",
            path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
            query: `Qualifier=${alias}`,
            headers: { "x-amz-invocation-type": "Event", "x-amz-durable-execution-name": id },
          },
        });
      } catch (error) {
        if (!isStarted(error)) throw error;
      }
      return { id };
    },
  };
}

/**
 * Names a flow's execution: names are unique within an account and region, so the function's is part of it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
 */
export function flowIdOf(flow: string, functionName: string, ofEffect: string): string {
  return `${flow}_${sha256Hex(`${functionName}\n${ofEffect}`).slice(0, 32)}`;
}

/** It runs, started with something else by an earlier attempt: what was done first counts. */
function isStarted(error: unknown): boolean {
  return error instanceof AwsCallError && error.code === "DurableExecutionAlreadyStartedException";
}
