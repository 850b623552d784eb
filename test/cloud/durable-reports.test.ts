import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDurableJournal } from "../../local/cloud/durable/durable-journal.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { callback, day, mebibyte, openInvocation, second, step, wait } from "./open-invocation.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

describe("what is told of an execution", () => {
  it("is its history, in pages", async () => {
    const { store, arn, checkpoint } = await openInvocation();
    checkpoint(step("a", "SUCCEED", { Payload: '"ä"', Name: "first" }), wait("w", 10));

    const types = (events: { EventType: string }[]) => events.map(({ EventType }) => EventType);
    const page = store.history(arn, { MaxItems: 2 });
    const rest = store.history(arn, { Marker: page.NextMarker });

    expect(types(store.history(arn).Events)).toEqual(["ExecutionStarted", "StepSucceeded", "WaitStarted"]);
    expect(types([...page.Events, ...rest.Events])).toEqual(types(store.history(arn).Events));
    expect(rest.NextMarker).toBeUndefined();
    expect(store.history(arn).Events[1]).toMatchObject({
      Name: "first",
      StepSucceededDetails: { Result: { Payload: '"ä"' } },
    });
    expect(store.history(arn).Events[2]).toMatchObject({
      WaitStartedDetails: { ScheduledEndTimestamp: new Date(startMs + 10 * second) },
    });
    expect(() => store.history(arn, { Marker: "bm9uc2Vuc2U" })).toThrow("Invalid marker");
  });

  it("is a list, the newest first, by name and status", async () => {
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
    expect(names({ Statuses: ["STOPPED"] })).toEqual(["b"]);
    expect(made.store.list("others").DurableExecutions).toEqual([]);
    const { NextMarker } = made.store.list(flows.name, { MaxItems: 2 });
    expect(names({ Marker: NextMarker })).toEqual(["a"]);
  });
});

it("keeps executions, time limits and callbacks in a folder that only this user may read", async () => {
  const folder = join(temporaryFolder(), "executions");
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
  const open = history.Events.find(({ EventType }) => EventType === "CallbackStarted");
  const { CallbackId } = JSON.parse(JSON.stringify(open?.CallbackStartedDetails));
  const tooLong = { result: "x".repeat(mebibyte + 1) };
  expect(() => second_.store.completeCallback(CallbackId, tooLong)).toThrow(/1048576/); // it is known
  await second_.playUntil(startMs + day);
  expect(second_.inputs[0]?.InitialExecutionState.Operations.map(({ Status }) => Status)).toEqual([
    "STARTED",
    "STARTED",
    "SUCCEEDED",
  ]);
  expect(second_.store.get(arn).Status).toBe("SUCCEEDED");
  await second_.store.close();
});
