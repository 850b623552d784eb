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
  const { checkpoint } = createDurableClient(call, () => "token", {
    remainingMs: () => 0,
    sleep: async () => {},
    random: () => 0,
  });
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

describe("a checkpoint that Lambda throttles", () => {
  const throttled = refusal("TooManyRequestsException", 429, "Rate exceeded");

  async function send(Action: "START" | "SUCCEED", refusals: readonly Error[]) {
    const left = [...refusals];
    const tokens: unknown[] = [];
    let remainingMs = 100_000;
    const call = async (_name: string, _address: unknown, body: object = {}) => {
      tokens.push(Object(body).ClientToken);
      const error = left.shift();
      if (error !== undefined) throw error;
      return { CheckpointToken: "2", NewExecutionState: {} };
    };
    const { checkpoint } = createDurableClient(call, () => `token ${tokens.length}`, {
      remainingMs: () => remainingMs,
      sleep: async (ms) => {
        remainingMs -= ms;
      },
      random: () => 0.5,
    });
    const update = { Id: "1", Type: "STEP", Action } as const;
    const sent = checkpoint({ DurableExecutionArn: "arn", CheckpointToken: "1", Updates: [update] });
    const outcome = await sent.then(
      () => "stored",
      ({ scope }: { scope: string }) => scope,
    );
    return { outcome, calls: tokens.length, tokens: new Set(tokens).size, remainingMs };
  }

  it("stores a step's outcome before the invocation ends, with one idempotency token", async () => {
    const unavailable = refusal("ServiceException", 500, "Failed");
    const refusals = [throttled, unavailable, ...Array.from({ length: 8 }, () => throttled)];

    expect(await send("SUCCEED", refusals)).toMatchObject({ outcome: "stored", calls: 11, tokens: 1 });
  });

  it("ends the invocation shortly before its time is up", async () => {
    const { outcome, remainingMs } = await send(
      "SUCCEED",
      Array.from({ length: 100 }, () => throttled),
    );

    expect(outcome).toBe("INVOCATION");
    expect(remainingMs).toBeGreaterThan(1_000);
    expect(remainingMs).toBeLessThan(10_000);
  });

  it("ends the invocation immediately if no step has begun", async () => {
    expect(await send("START", [throttled])).toMatchObject({ outcome: "INVOCATION", calls: 1 });
  });

  it("does not repeat what is refused for another reason", async () => {
    const outdated = refusal("InvalidParameterValueException", 400, "Invalid checkpoint token");

    expect(await send("SUCCEED", [outdated])).toMatchObject({ outcome: "INVOCATION", calls: 1 });
  });
});

it("does not count throttled checkpoints as crashes", async () => {
  let random = 7;
  const isRefused = () => {
    random = (random * 48_271) % 2_147_483_647;
    return random / 2_147_483_647 < 0.7;
  };
  const flow = messageFlow("remind", async (flow) => {
    for (const name of ["one", "two"])
      await flow.do(
        name,
        act(() => world, name),
      );
  });
  const world = createFlowWorld([flow], {
    atPoint: (name) => {
      if (name === "before CheckpointDurableExecution" && world.now() < startMs + 600_000 && isRefused())
        throw refusal("TooManyRequestsException", 429, "Rate exceeded");
    },
  });
  const arns: string[] = [];
  for (let count = 0; count < 30; count += 1) arns.push(await world.start("remind", {}));
  await world.playUntil(startMs + 3 * 3_600_000);

  expect(new Set(arns.map((arn) => world.statusOf(arn).Status))).toEqual(new Set(["SUCCEEDED"]));
});
