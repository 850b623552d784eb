import { mkdtempSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDurableJournal } from "../../local/cloud/durable/durable-journal.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

const second = 1000;
const day = 86_400_000;
const mebibyte = 1024 * 1024;
const step = (Id: string, Action: string, more: object = {}) => ({ Id, Type: "STEP", Action, ...more });
const wait = (Id: string, WaitSeconds: number) => ({
  Id,
  Type: "WAIT",
  Action: "START",
  WaitOptions: { WaitSeconds },
});
const callback = (Id: string, CallbackOptions: object = {}) => ({
  Id,
  Type: "CALLBACK",
  Action: "START",
  CallbackOptions,
});

/** An execution whose function is in the middle of its first invocation and ends it when told to. */
async function openInvocation(name?: string) {
  let finish = (_output: object) => {};
  const made = storeWith(
    () =>
      new Promise<object>((resolve) => {
        finish = resolve;
      }),
  );
  const { arn } = made.store.start(flows, { name, payload: "{}" });
  void made.store.runDue();
  await Promise.resolve();
  let token = made.inputs[0]?.CheckpointToken ?? "";
  return {
    ...made,
    arn,
    token: () => token,
    checkpoint(...Updates: object[]) {
      const answer = made.store.checkpoint(arn, { CheckpointToken: token, Updates });
      token = answer.CheckpointToken;
      return answer.NewExecutionState.Operations;
    },
    answer: async (output: object) => {
      finish(output);
      await new Promise((resolve) => setImmediate(resolve));
    },
    operations: () => made.store.getState(arn, { CheckpointToken: token }).Operations,
  };
}

describe("a checkpoint token", () => {
  // https://docs.aws.amazon.com/lambda/latest/api/API_CheckpointDurableExecution.html
  it("is good for one checkpoint", async () => {
    const { store, arn, token, checkpoint } = await openInvocation();
    const used = token();
    checkpoint(step("a", "START"));

    expect(() => store.checkpoint(arn, { CheckpointToken: used })).toThrow("Invalid Checkpoint Token");
    expect(() => store.getState(arn, { CheckpointToken: used })).toThrow("Invalid Checkpoint Token");
    expect(checkpoint(step("a", "SUCCEED"))).toMatchObject([{ Id: "a", Status: "SUCCEEDED" }]);
  });

  it("is worth nothing when its invocation is over", async () => {
    const { store, arn, token, checkpoint, answer } = await openInvocation();
    checkpoint(wait("w", 60));
    await answer({ Status: "PENDING" });

    expect(() => store.checkpoint(arn, { CheckpointToken: token() })).toThrow("Invalid Checkpoint Token");
  });

  it("with the client token of before gives the answer of before, and nothing is done twice", async () => {
    const { store, arn, token } = await openInvocation();
    const input = { CheckpointToken: token(), ClientToken: "once", Updates: [step("a", "START")] };

    const first = store.checkpoint(arn, input);
    const again = store.checkpoint(arn, input);

    expect(again).toEqual(first);
    expect(store.history(arn).Events.filter(({ EventType }) => EventType === "StepStarted")).toHaveLength(1);
    expect(() => store.checkpoint(arn, { ...input, ClientToken: "other" })).toThrow(
      "Invalid Checkpoint Token",
    );
    expect(() => store.checkpoint(arn, { ...input, Updates: [] })).toThrow("Invalid Checkpoint Token");
  });
});

describe("a checkpoint", () => {
  it("is written whole or not at all", async () => {
    const { checkpoint, operations } = await openInvocation();

    const write = () => checkpoint(step("a", "START"), step("b", "RETRY"));

    expect(write).toThrow("Invalid StepOptions");
    expect(operations()).toHaveLength(1);
  });

  // https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html
  it("takes a payload of 1 MB and no byte more", async () => {
    const { checkpoint } = await openInvocation();

    expect(() => checkpoint(step("a", "SUCCEED", { Payload: `${"x".repeat(mebibyte - 2)}é` }))).not.toThrow();
    expect(() => checkpoint(step("b", "SUCCEED", { Payload: `${"x".repeat(mebibyte - 1)}é` }))).toThrow(
      /1048576/,
    );
  });

  it.each([
    ["an operation without an id", step("", "START")],
    ["a wait of no time", wait("w", 0)],
    ["a wait of more than 366 days", wait("w", 31_622_401)],
    ["a wait that says nothing", { Id: "w", Type: "WAIT", Action: "START" }],
    ["an invocation of another function", { Id: "i", Type: "CHAINED_INVOKE", Action: "START" }],
    ["an unknown type", { Id: "i", Type: "SAGA", Action: "START" }],
    ["a parent that is not there", { ...step("a", "START"), ParentId: "nobody" }],
  ])("refuses %s", async (_what, update) => {
    const { checkpoint } = await openInvocation();

    expect(() => checkpoint(update)).toThrow(
      expect.objectContaining({ code: "InvalidParameterValueException" }),
    );
  });

  it("brings what changed since the last one, once", async () => {
    const { checkpoint, moveTo } = await openInvocation();
    checkpoint(wait("w", 10));
    moveTo(startMs + 10 * second);

    const first = checkpoint();
    const second_ = checkpoint();

    expect(first).toMatchObject([{ Id: "w", Status: "SUCCEEDED" }]);
    expect(second_).toEqual([]);
  });

  it("tells a step that starts again from one that waits to", async () => {
    const { checkpoint, moveTo } = await openInvocation();
    checkpoint(step("a", "RETRY", { StepOptions: { NextAttemptDelaySeconds: 5 } }));
    moveTo(startMs + 5 * second);

    expect(checkpoint()).toMatchObject([{ Status: "READY", StepDetails: { Attempt: 1 } }]);
    expect(checkpoint(step("a", "START"))).toMatchObject([
      { Status: "STARTED", StepDetails: { Attempt: 1 } },
    ]);
  });
});

describe("a name", () => {
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
  it("means one execution, while it runs and as long as it is remembered", async () => {
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

  it("is refused with another payload, also when its execution has ended", async () => {
    const { store, runTo } = ended();
    store.start(flows, { name: "one", payload: '{"a":1}' });
    const other = () => store.start(flows, { name: "one", payload: '{"a":2}' });

    expect(other).toThrow(
      expect.objectContaining({ code: "DurableExecutionAlreadyStartedException", status: 409 }),
    );
    await runTo(startMs);
    expect(other).toThrow(expect.objectContaining({ code: "DurableExecutionAlreadyStartedException" }));
  });

  it("of another function is another execution", () => {
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

describe("an invocation", () => {
  // https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-sdk-retries.html
  it.each(["failed", "timedOut", "exited"] as const)(
    "that %s is tried again, later each time",
    async (kind) => {
      const times: number[] = [];
      const outcomes: Outcome[] = [1, 2, 3].map(() => ({ kind, body: "{}" }));
      const made = storeWith(() => ({}), {
        invoke: async () => {
          times.push((made.now() - startMs) / second);
          return outcomes.shift() ?? { kind: "answered", body: '{"Status":"SUCCEEDED"}' };
        },
      });
      const { arn } = made.store.start(flows, { payload: "{}" });

      await made.playUntil(startMs + day);

      expect(times).toEqual([0, 1, 3, 7]);
      expect(made.store.get(arn).Status).toBe("SUCCEEDED");
    },
  );

  it("is tried until the execution's own time is over", async () => {
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
    ["gives more than 1 MB", { Status: "SUCCEEDED", Result: "x".repeat(mebibyte + 1) }, /larger than/],
  ])("that %s fails the execution", async (_what, output, message) => {
    const { store, playUntil } = storeWith(() => output);
    const { arn } = store.start(flows, { payload: "{}" });

    await playUntil(startMs + day);

    expect(store.get(arn)).toMatchObject({
      Status: "FAILED",
      Error: { ErrorMessage: expect.stringMatching(message) },
    });
  });

  it("is one at a time for each execution, and follows on what changed during it", async () => {
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

describe("a callback", () => {
  it("is open for its time, which a heartbeat prolongs only as far as heartbeats go", async () => {
    const { store, checkpoint, answer, moveTo, operations, playUntil, arn } = await openInvocation();
    const [opened] = checkpoint(callback("c", { HeartbeatTimeoutSeconds: 60, TimeoutSeconds: 150 }));
    const id = opened?.CallbackDetails?.CallbackId ?? "";
    moveTo(startMs + 59 * second);
    store.heartbeat(id);
    moveTo(startMs + 118 * second);
    store.heartbeat(id);

    moveTo(startMs + 149 * second);
    const before = operations().at(-1)?.Status;
    moveTo(startMs + 150 * second);

    expect(before).toBe("STARTED");
    expect(() => store.heartbeat(id)).toThrow(expect.objectContaining({ code: "CallbackTimeoutException" }));
    expect(operations().at(-1)).toMatchObject({ Status: "TIMED_OUT" });
    await answer({ Status: "SUCCEEDED" });
    await playUntil(startMs + 200 * second);
    expect(store.get(arn).Status).toBe("SUCCEEDED");
  });

  it("misses its heartbeat", async () => {
    const { checkpoint, moveTo, operations } = await openInvocation();
    checkpoint(callback("c", { HeartbeatTimeoutSeconds: 60 }));

    moveTo(startMs + 60 * second);

    expect(operations().at(-1)).toMatchObject({
      Status: "TIMED_OUT",
      CallbackDetails: { Error: { ErrorMessage: expect.stringContaining("heartbeat") } },
    });
  });

  it("without a time, or with 0, is open as long as its execution runs", async () => {
    const { store, checkpoint, moveTo, operations } = await openInvocation();
    const [opened] = checkpoint(callback("c", { HeartbeatTimeoutSeconds: 0, TimeoutSeconds: 0 }));
    moveTo(startMs + 29 * day);
    const late = operations().at(-1)?.Status;
    moveTo(startMs + 30 * day);

    expect(late).toBe("STARTED");
    expect(() => store.completeCallback(opened?.CallbackDetails?.CallbackId ?? "", { result: "" })).toThrow(
      expect.objectContaining({ code: "CallbackTimeoutException" }),
    );
  });

  it("takes 1 MB and no byte more, and no id that nobody was given", async () => {
    const { store, checkpoint } = await openInvocation();
    const [opened] = checkpoint(callback("c"));
    const id = opened?.CallbackDetails?.CallbackId ?? "";

    expect(id).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(() => store.completeCallback(id, { result: "x".repeat(mebibyte + 1) })).toThrow(/1048576/);
    expect(() => store.completeCallback(`${id}A`, { result: "" })).toThrow(
      expect.objectContaining({ code: "InvalidParameterValueException" }),
    );
    expect(() => store.completeCallback(id, { result: "x".repeat(mebibyte) })).not.toThrow();
  });
});

describe("what is told of an execution", () => {
  it("is its history, forwards, backwards, in pages, with data and without", async () => {
    const { store, arn, checkpoint } = await openInvocation();
    checkpoint(step("a", "SUCCEED", { Payload: '"ä"', Name: "first" }), wait("w", 10));

    const types = (events: { EventType: string }[]) => events.map(({ EventType }) => EventType);
    const page = store.history(arn, { MaxItems: 2 });
    const rest = store.history(arn, { Marker: page.NextMarker });
    const bare = store.history(arn, { IncludeExecutionData: false }).Events;

    expect(types(store.history(arn).Events)).toEqual(["ExecutionStarted", "StepSucceeded", "WaitStarted"]);
    expect(types(store.history(arn, { ReverseOrder: true }).Events)[0]).toBe("WaitStarted");
    expect(types([...page.Events, ...rest.Events])).toEqual(types(store.history(arn).Events));
    expect(rest.NextMarker).toBeUndefined();
    expect(store.history(arn).Events[1]).toMatchObject({
      Name: "first",
      StepSucceededDetails: { Result: { Payload: '"ä"' } },
    });
    expect(JSON.stringify(bare)).not.toContain("ä");
    expect(bare[2]).toMatchObject({
      WaitStartedDetails: { ScheduledEndTimestamp: new Date(startMs + 10 * second) },
    });
    expect(() => store.history(arn, { Marker: "bm9uc2Vuc2U" })).toThrow("Invalid marker");
  });

  it("is a list, the newest first, by name, status and time", async () => {
    const made = storeWith(() => ({ Status: "SUCCEEDED" }));
    for (const [index, name] of ["a", "b", "c"].entries()) {
      made.moveTo(startMs + index * second);
      made.store.start(flows, { name, payload: "{}" });
    }
    made.store.stop(
      made.store.list(flows.name, { DurableExecutionName: "b" }).DurableExecutions[0]?.DurableExecutionArn ??
        "",
    );
    await made.store.runDue();

    const names = (query: Parameters<typeof made.store.list>[1]) =>
      made.store
        .list(flows.name, query)
        .DurableExecutions.map(({ DurableExecutionName }) => DurableExecutionName);

    expect(names({})).toEqual(["c", "b", "a"]);
    expect(names({ ReverseOrder: true })).toEqual(["a", "b", "c"]);
    expect(names({ Statuses: ["STOPPED"] })).toEqual(["b"]);
    expect(names({ StartedAfter: new Date(startMs), StartedBefore: new Date(startMs + 2 * second) })).toEqual(
      ["b"],
    );
    expect(names({ Qualifier: "2" })).toEqual([]);
    expect(made.store.list("others").DurableExecutions).toEqual([]);
    const { NextMarker } = made.store.list(flows.name, { MaxItems: 2 });
    expect(names({ Marker: NextMarker })).toEqual(["a"]);
  });

  it("is nothing when there is none", () => {
    const { store } = storeWith(() => ({}));

    expect(() => store.get("arn:none")).toThrow(
      expect.objectContaining({ code: "ResourceNotFoundException", status: 404 }),
    );
  });
});

it("is stopped once, keeps its operations as they are, and tells the same time again", async () => {
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

it("keeps executions, time limits and callbacks in a folder that only this user may read", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "journal-")), "executions");
  const first = storeWith(() => ({ Status: "PENDING" }), {
    journal: openDurableJournal(folder),
    invoke: async (_name, input) => {
      const { DurableExecutionArn: arn, CheckpointToken } = input;
      first.store.checkpoint(arn, {
        CheckpointToken,
        Updates: [callback("c", { TimeoutSeconds: 600 }), wait("w", 60)],
      });
      return { kind: "answered", body: '{"Status":"PENDING"}' };
    },
  });
  const { arn } = first.store.start(flows, { name: "kept", payload: '{"text":"Zoë"}' });
  await first.store.runDue();
  const history = first.store.history(arn);
  await first.store.close();

  const second_ = storeWith(() => ({ Status: "SUCCEEDED" }), { journal: openDurableJournal(folder) });

  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(second_.store.nextWakeAt()).toBe(startMs + 60 * second);
  expect(second_.store.history(arn)).toEqual(history);
  expect(second_.store.start(flows, { name: "kept", payload: '{"text":"Zoë"}' })).toEqual({
    arn,
    isNew: false,
  });
  await second_.playUntil(startMs + day);
  expect(second_.inputs[0]?.InitialExecutionState.Operations.map(({ Status }) => Status)).toEqual([
    "STARTED",
    "STARTED",
    "SUCCEEDED",
  ]);
  expect(second_.store.get(arn).Status).toBe("SUCCEEDED");
  await second_.store.close();
  await rm(join(folder, ".."), { recursive: true });
});
