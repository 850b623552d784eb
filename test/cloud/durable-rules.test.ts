import { describe, expect, it } from "vitest";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";
import { callback, day, mebibyte, openInvocation, second, step, wait } from "./open-invocation.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

describe("a checkpoint token", () => {
  // https://docs.aws.amazon.com/lambda/latest/api/API_CheckpointDurableExecution.html
  it("is valid for one checkpoint", async () => {
    const { store, arn, token, checkpoint } = await openInvocation();
    const used = token();
    checkpoint(step("a", "START"));

    expect(() => store.checkpoint(arn, { CheckpointToken: used })).toThrow("Invalid checkpoint token");
    expect(() => store.getState(arn, { CheckpointToken: used })).toThrow("Invalid checkpoint token");
    expect(checkpoint(step("a", "SUCCEED"))).toMatchObject([{ Id: "a", Status: "SUCCEEDED" }]);
  });

  it("is invalid when its invocation is over", async () => {
    const { store, arn, token, checkpoint, answer } = await openInvocation();
    checkpoint(wait("w", 60));
    await answer({ Status: "PENDING" });

    expect(() => store.checkpoint(arn, { CheckpointToken: token() })).toThrow("Invalid checkpoint token");
  });

  it("returns the same answer for the same client token, and does nothing twice", async () => {
    const { store, arn, token } = await openInvocation();
    const input = { CheckpointToken: token(), ClientToken: "once", Updates: [step("a", "START")] };

    const first = store.checkpoint(arn, input);
    const again = store.checkpoint(arn, input);

    expect(again).toEqual(first);
    expect(store.history(arn).Events.filter(({ EventType }) => EventType === "StepStarted")).toHaveLength(1);
    expect(() => store.checkpoint(arn, { ...input, ClientToken: "other" })).toThrow(
      "Invalid checkpoint token",
    );
    expect(() => store.checkpoint(arn, { ...input, Updates: [] })).toThrow("Invalid checkpoint token");
  });
});

describe("a checkpoint", () => {
  it("is written completely or not at all", async () => {
    const { checkpoint, operations } = await openInvocation();

    const write = () => checkpoint(step("a", "START"), { Id: "i", Type: "CHAINED_INVOKE", Action: "START" });

    expect(write).toThrow("CHAINED_INVOKE is not part");
    expect(operations()).toHaveLength(1);
  });

  // https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html
  it("accepts a payload of 1 MB but not a byte more", async () => {
    const { checkpoint } = await openInvocation();

    expect(() => checkpoint(step("a", "SUCCEED", { Payload: `${"x".repeat(mebibyte - 2)}é` }))).not.toThrow();
    expect(() => checkpoint(step("b", "SUCCEED", { Payload: `${"x".repeat(mebibyte - 1)}é` }))).toThrow(
      /1048576/,
    );
  });

  it.each([
    ["an operation without an id", step("", "START")],
    ["a wait of 0 seconds", wait("w", 0)],
    ["a wait of more than 366 days", wait("w", 31_622_401)],
    ["an unknown type", { Id: "i", Type: "SAGA", Action: "START" }],
  ])("refuses %s", async (_what, update) => {
    const { checkpoint } = await openInvocation();

    expect(() => checkpoint(update)).toThrow(
      expect.objectContaining({ code: "InvalidParameterValueException" }),
    );
  });

  it("accepts an error of 1 MB at most", async () => {
    const { checkpoint } = await openInvocation();

    const write = () => checkpoint(step("a", "FAIL", { Error: { ErrorMessage: "x".repeat(mebibyte) } }));

    expect(write).toThrow(/1048576/);
  });

  it("returns each change since the last one once", async () => {
    const { checkpoint, moveTo } = await openInvocation();
    checkpoint(wait("w", 10));
    moveTo(startMs + 10 * second);

    const first = checkpoint();
    const second_ = checkpoint();

    expect(first).toMatchObject([{ Id: "w", Status: "SUCCEEDED" }]);
    expect(second_).toEqual([]);
  });

  it("distinguishes a step that starts again from one that waits to", async () => {
    const { checkpoint, moveTo } = await openInvocation();
    expect(checkpoint(step("a", "RETRY", { StepOptions: { NextAttemptDelaySeconds: 5 } }))).toMatchObject([
      { StepDetails: { NextAttemptTimestamp: new Date(startMs + 5 * second) } },
    ]);
    moveTo(startMs + 5 * second);

    expect(checkpoint()).toMatchObject([{ Status: "READY", StepDetails: { Attempt: 1 } }]);
    expect(checkpoint(step("a", "START"))).toMatchObject([
      { Status: "STARTED", StepDetails: { Attempt: 1 } },
    ]);
  });
});

describe("an update", () => {
  const oops = { Error: { ErrorType: "Oops" } };
  const failed = { Error: { Payload: oops.Error } };

  it.each([
    [step("a", "START"), "STARTED", "StepStarted", {}],
    [step("a", "FAIL", oops), "FAILED", "StepFailed", { ...failed, RetryDetails: { CurrentAttempt: 1 } }],
    [
      step("a", "RETRY", { ...oops, StepOptions: { NextAttemptDelaySeconds: 5 } }),
      ...["PENDING", "StepFailed"],
      { ...failed, RetryDetails: { CurrentAttempt: 1, NextAttemptDelaySeconds: 5 } },
    ],
    [
      step("a", "RETRY"),
      ...["PENDING", "StepSucceeded"],
      { Result: {}, RetryDetails: { CurrentAttempt: 1, NextAttemptDelaySeconds: 0 } },
    ],
    [{ Id: "a", Type: "CONTEXT", Action: "FAIL", ...oops }, "FAILED", "ContextFailed", failed],
    [callback("a"), "STARTED", "CallbackStarted", { CallbackId: expect.any(String) }],
    [
      callback("a", { TimeoutSeconds: 60 }),
      ...["STARTED", "CallbackStarted"],
      { CallbackId: expect.any(String), Timeout: 60 },
    ],
  ] as const)("%j is reported as it is", async (update, Status, EventType, details) => {
    const { store, arn, checkpoint } = await openInvocation();

    expect(checkpoint(update)).toMatchObject([{ Id: "a", Status }]);
    const event = store.history(arn).Events.at(-1);
    expect(event).toMatchObject({ EventType, EventId: 2, Id: "a" });
    expect(event?.[`${EventType}Details`]).toEqual(details);
  });

  it.each([
    ["SUCCEED", { Payload: "1" }, { Status: "SUCCEEDED", Result: "1" }],
    ["FAIL", oops, { Status: "FAILED", ...oops }],
  ])("of %s ends the execution, also beyond its limit of operations", async (Action, more, ended) => {
    const { store, arn, checkpoint } = await openInvocation();
    checkpoint(...Array.from({ length: 2_999 }, (_, index) => step(`${index}`, "START")));

    expect(() => checkpoint(step("more", "START"))).toThrow("3000 operations");
    expect(checkpoint(step("0", "SUCCEED"))).toMatchObject([{ Id: "0", Status: "SUCCEEDED" }]);
    checkpoint({ Id: "end", Type: "EXECUTION", Action, ...more });
    expect(store.get(arn)).toMatchObject(ended);
  });
});

describe("due events", () => {
  it("are reported in order, up to the execution's own end", async () => {
    const { store, arn, checkpoint, moveTo } = await openInvocation();
    const limit = (30 * day) / second;
    checkpoint(wait("late", limit + 1), wait("last", limit), wait("first", 10));

    moveTo(startMs + 40 * day);
    store.list(flows.name);

    const events = store.history(arn).Events.slice(4);
    expect(events.map(({ EventType, Id }) => [EventType, Id])).toMatchObject([
      ["WaitSucceeded", "first"],
      ["WaitSucceeded", "last"],
      ["ExecutionTimedOut", expect.any(String)],
    ]);
    expect(events[0]?.WaitSucceededDetails).toEqual({ Duration: 10 });
    expect(store.get(arn).Error?.ErrorType).toBe("DurableExecutionTimeout");
  });
});

it("reports each change, and restores its former contents", () => {
  const { store } = storeWith(() => ({ Status: "PENDING" }));
  let changes = 0;
  store.onChange(() => (changes += 1));
  const { arn } = store.start(flows, { name: "one", payload: "{}" });
  const before = store.contents();
  store.start(flows, { name: "two", payload: "{}" });

  store.putBack(before);

  expect(store.peek().map(({ name }) => name)).toEqual(["one"]);
  expect(store.get(arn).Status).toBe("RUNNING");
  expect(changes).toBe(3);
});

it("starts no execution while it is paused", async () => {
  const { store, inputs } = storeWith(() => ({ Status: "SUCCEEDED" }));
  store.start(flows, { payload: "{}" });

  store.pause();
  await store.runDue();
  expect(inputs).toHaveLength(0);
  store.resume();
  await store.runDue();
  expect(inputs).toHaveLength(1);
});

describe("an execution's name", () => {
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
  it("means one execution while it runs and until its retention ends", async () => {
    const { store, runTo } = ended();
    const first = store.start(flows, { name: "one", payload: '{"a":1}' });
    const again = store.start(flows, { name: "one", payload: '{"a":1}' });
    await runTo(startMs);
    const afterwards = store.start(flows, { name: "one", payload: '{"a":1}' });
    await runTo(startMs + 14 * day - 1);
    const late = store.start(flows, { name: "one", payload: '{"a":1}' });
    await runTo(startMs + 14 * day);
    const afterRetention = store.start(flows, { name: "one", payload: '{"a":2}' });

    expect(first.isNew).toBe(true);
    for (const same of [again, afterwards, late]) expect(same).toEqual({ arn: first.arn, isNew: false });
    expect(afterRetention.isNew).toBe(true);
  });

  it("is refused with another payload, also after its execution has ended", async () => {
    const { store, runTo } = ended();
    store.start(flows, { name: "one", payload: '{"a":1}' });
    const other = () => store.start(flows, { name: "one", payload: '{"a":2}' });

    expect(other).toThrow(
      expect.objectContaining({ code: "DurableExecutionAlreadyStartedException", status: 409 }),
    );
    await runTo(startMs);
    expect(other).toThrow(expect.objectContaining({ code: "DurableExecutionAlreadyStartedException" }));
  });

  it("means another execution for another function", () => {
    const { store } = ended();
    const one = store.start(flows, { name: "one", payload: "{}" });

    const other = store.start(
      { ...flows, name: "others", arn: `${flows.arn}-others` },
      { name: "one", payload: "1" },
    );

    expect(other.isNew).toBe(true);
    expect(other.arn).not.toBe(one.arn);
  });

  function ended() {
    const made = storeWith(() => ({ Status: "SUCCEEDED", Result: "1" }));
    return { ...made, runTo: made.playUntil };
  }
});

// https://docs.aws.amazon.com/lambda/latest/api/API_ContextOptions.html
it("omits operations inside a closed context from a replay, unless the context requests them", async () => {
  const { checkpoint, operations } = await openInvocation();
  const context = (Id: string, Action: string, more: object = {}) => ({
    Id,
    Type: "CONTEXT",
    Action,
    ...more,
  });
  checkpoint(
    context("closed", "START"),
    context("inner", "START", { ParentId: "closed" }),
    step("innermost", "START", { ParentId: "inner" }),
    context("asking", "START"),
    step("child", "START", { ParentId: "asking" }),
  );
  expect(operations()).toHaveLength(6);

  checkpoint(
    context("closed", "SUCCEED"),
    context("asking", "SUCCEED", { ContextOptions: { ReplayChildren: true } }),
  );

  expect(
    operations()
      .slice(1)
      .map(({ Id }) => Id),
  ).toEqual(["closed", "asking", "child"]);
});

describe("an invocation", () => {
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-sdk-retries.html
  it("that fails is retried with growing delays", async () => {
    const times: number[] = [];
    const outcomes: Outcome[] = [1, 2, 3].map(() => ({ kind: "exited", body: "{}" }));
    const made = storeWith(() => ({}), {
      invoke: async () => {
        times.push((made.now() - startMs) / second);
        return outcomes.shift() ?? { kind: "answered", body: '{"Status":"SUCCEEDED"}' };
      },
    });
    const { arn } = made.store.start(flows, { payload: "{}" });

    await made.playUntil(startMs + day);

    const completed = made.store
      .history(arn)
      .Events.filter(({ EventType }) => EventType === "InvocationCompleted");
    expect(completed.map(({ InvocationCompletedDetails: details }) => details)).toMatchObject([
      ...[0, 1, 3].map((at) => ({
        StartTimestamp: new Date(startMs + at * second),
        Error: { Payload: { ErrorMessage: "{}" } },
      })),
      expect.not.objectContaining({ Error: expect.anything() }),
    ]);
    expect(times).toEqual([0, 1, 3, 7]);
    expect(made.store.get(arn).Status).toBe("SUCCEEDED");
  });

  it("is retried until the execution's own timeout", async () => {
    const made = storeWith(() => ({}), { invoke: async () => Promise.reject(new Error("no process")) });
    const { arn } = made.store.start({ ...flows, executionTimeoutMs: 60_000 }, { payload: "{}" });

    await made.playUntil(startMs + day);

    expect(made.store.get(arn)).toMatchObject({
      Status: "TIMED_OUT",
      EndTimestamp: new Date(startMs + 60_000),
    });
    expect(made.store.nextWakeAt()).toBeUndefined();
  });

  it.each([
    ["does not answer as a durable function", { fine: true }, /as a durable function does/],
    ["waits for nothing", { Status: "PENDING" }, /no pending operations/],
    ["returns more than 1 MB", { Status: "SUCCEEDED", Result: "x".repeat(mebibyte + 1) }, /larger than/],
  ])("that %s fails the execution", async (_what, output, message) => {
    const { store, playUntil } = storeWith(() => output);
    const { arn } = store.start(flows, { payload: "{}" });

    await playUntil(startMs + day);

    expect(store.get(arn)).toMatchObject({
      Status: "FAILED",
      Error: { ErrorMessage: expect.stringMatching(message) },
    });
  });

  it.each([
    { Status: "SUCCEEDED", Result: "x".repeat(mebibyte) },
    { Status: "FAILED", Error: { ErrorType: "Oops" } },
  ])("ends the execution with the returned status", async (output) => {
    const { store, playUntil } = storeWith(() => output);
    const { arn } = store.start(flows, { payload: "{}" });

    await playUntil(startMs + day);

    expect(store.get(arn)).toMatchObject(output);
  });

  it("runs alone for its execution, and the next one gets what changed meanwhile", async () => {
    const { store, inputs, arn, checkpoint, answer } = await openInvocation();
    const [one, two] = checkpoint(callback("one"), callback("two"), wait("w", 3600));
    store.completeCallback(one?.CallbackDetails?.CallbackId ?? "", { result: "1" });
    store.completeCallback(two?.CallbackDetails?.CallbackId ?? "", { result: "2" });
    void store.runDue();
    expect(inputs).toHaveLength(1);

    await answer({ Status: "PENDING" });

    expect(inputs).toHaveLength(2);
    expect(inputs[1]).toMatchObject({ DurableExecutionArn: arn, UpdatedOperationIds: ["one", "two"] });
    await answer({ Status: "PENDING" });
    expect(inputs).toHaveLength(2);
  });
});

it("invokes again for a wait that ended while the function decided to wait", async () => {
  const { inputs, checkpoint, answer, moveTo } = await openInvocation();
  checkpoint(wait("w", 10), callback("c"));
  moveTo(startMs + 10 * second);

  await answer({ Status: "PENDING" });

  expect(inputs).toHaveLength(2);
  expect(inputs[1]).toMatchObject({ UpdatedOperationIds: ["w"] });
});

it("is stopped once, keeps its operations unchanged, and returns the same time again", async () => {
  const { store, arn, checkpoint, answer, moveTo } = await openInvocation();
  checkpoint(wait("w", 10));
  const first = store.stop(arn, { ErrorType: "Cancelled" });
  moveTo(startMs + 20 * second);
  const again = store.stop(arn);
  await answer({ Status: "SUCCEEDED", Result: "too late" });

  expect(again).toEqual(first);
  expect(store.get(arn)).toMatchObject({ Status: "STOPPED", Error: { ErrorType: "Cancelled" } });
  expect(store.get(arn).Result).toBeUndefined();
  expect(store.history(arn).Events.map(({ EventType }) => EventType)).not.toContain("WaitSucceeded");
});

it("is not invoked again if its last invocation fails after it was stopped", async () => {
  const made = storeWith(() => ({}), {
    invoke: async (_name, { DurableExecutionArn }) => {
      calls += 1;
      made.store.stop(DurableExecutionArn);
      return { kind: "exited", body: "{}" };
    },
  });
  let calls = 0;
  made.store.start(flows, { payload: "{}" });
  await made.store.runDue();

  made.moveTo(startMs + day);
  await made.store.runDue();

  expect(calls).toBe(1);
});

it("deletes the oldest ended executions beyond a thousand, but no running ones", () => {
  const { store, moveTo } = storeWith(() => ({ Status: "PENDING" }));
  const start = (name: string) => store.start(flows, { name, payload: "{}" }).arn;
  const running = start("running");
  const last = start("last");
  for (let index = 0; index < 1_002; index += 1) {
    moveTo(startMs + index);
    store.stop(start(`ended ${index}`));
  }
  moveTo(startMs + day);
  store.stop(last);

  const names = store.peek().map(({ name }) => name);
  expect([names.length, ...names.slice(0, 3)]).toEqual([1_001, "running", "last", "ended 3"]);
  expect(store.get(running).Status).toBe("RUNNING");
});
