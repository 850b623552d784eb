import { AwsCallError, type AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import { PermanentError } from "../base/errors.ts";
import type { FlowStarter } from "../effects/flow-request.ts";
import type { FlowMarks } from "./flow-marks.ts";

interface FlowStarterOptions {
  readonly callAws: AwsCaller;
  readonly marks: FlowMarks;
  /** "" if the stage has none (`flows: off`). */
  readonly functionName: string;
}

/** Starts new flows; the framework creates it for every durable function. */
const alias = "durable";

/**
 * Starts flows by asynchronous invocation: others cannot last a year. Lambda ignores a second invocation of
 * one name.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function createFlowStarter({ callAws, marks, functionName }: FlowStarterOptions): FlowStarter {
  return {
    start: async (request, ofEffect) => {
      if (functionName === "") {
        throw new PermanentError(`The flow ${request.flow} cannot start: config/stages.yml has flows: off`);
      }
      const id = flowIdOf(request.flow, functionName, ofEffect);
      // From now on, events are stored until the flow asks.
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
 * It must be unique per account and region.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
 */
export function flowIdOf(flow: string, functionName: string, ofEffect: string): string {
  return `${flow}_${sha256Hex(`${functionName}\n${ofEffect}`).slice(0, 32)}`;
}

/** Another input came first, and counts. */
function isStarted(error: unknown) {
  return error instanceof AwsCallError && error.code === "DurableExecutionAlreadyStartedException";
}
