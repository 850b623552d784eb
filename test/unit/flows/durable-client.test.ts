import { describe, expect, it } from "vitest";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import { createDurableClient } from "../../../lib/flows/durable-client.ts";
import { act, createFlowWorld, messageFlow, startMs } from "./flow-world.ts";

const day = 86_400_000;

function refusal(code: string, status: number, message?: string) {
  const call = { service: "lambda", target: "Lambda.CheckpointDurableExecution", input: {} } as const;
  return new AwsCallError(call, { code, status, maybeExecuted: false, answer: message && { message } });
}

async function scopeOf(error: Error) {
  const call = async () => {
    throw error;
  };
  const { checkpoint } = createDurableClient(call, () => "token");
  return checkpoint({ DurableExecutionArn: "arn", CheckpointToken: "1", Updates: [] }).catch(
    ({ scope }: { scope: string }) => scope,
  );
}

describe("a refused checkpoint", () => {
  // https://github.com/aws/aws-durable-execution-sdk-js/issues/917
  it.each([
    ["InvalidParameterValueException", 400, "Invalid checkpoint token"],
    ["InvalidParameterValueException", 400, "Invalid Checkpoint Token: superseded"],
    ["HTTP status 403", 403, undefined],
    ["HTTP status 404", 404, undefined],
    ["RequestTimeoutException", 408, "Timed out"],
    ["RequestTimeTooSkewed", 403, "The clock is wrong"],
    ["SignatureDoesNotMatch", 403, "The signature is wrong"],
    ["AccessDeniedException", 403, "Not authorized"],
    ["TooManyRequestsException", 429, "Rate exceeded"],
    ["ServiceException", 500, "Failed"],
  ])("is repeated by a later invocation: %s, %s, %s", async (code, status, message) => {
    expect(await scopeOf(refusal(code, status, message))).toBe("INVOCATION");
  });

  it.each([
    ["InvalidParameterValueException", 400, "STEP output payload size must be less than 262144 bytes"],
    ["RequestTooLargeException", 413, "Too large"],
  ])("fails the flow if each repetition would be refused: %s, %s, %s", async (code, status, message) => {
    expect(await scopeOf(refusal(code, status, message))).toBe("EXECUTION");
  });
});

it("continues a flow whose token is outdated", async () => {
  let checkpoints = 0;
  const flow = messageFlow("remind", async (flow) => {
    for (const name of ["one", "two"]) {
      await flow.do(
        name,
        act(() => world, name),
      );
      await flow.wait({ days: 15 });
    }
  });
  const world = createFlowWorld([flow], {
    atPoint: (name) => {
      if (name !== "before CheckpointDurableExecution") return;
      checkpoints += 1;
      if (checkpoints === 6) throw refusal("InvalidParameterValueException", 400, "Invalid checkpoint token");
    },
  });
  const arn = await world.start("remind", {});
  await world.playUntil(startMs + 31 * day);

  expect(world.statusOf(arn).Status).toBe("SUCCEEDED");
  expect(world.acts).toEqual(["one", "two"]);
  expect(world.counted).toEqual([]);
});
