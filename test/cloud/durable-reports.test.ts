import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDurableJournal } from "../../local/cloud/durable/durable-journal.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { callback, day, mebibyte, openInvocation, second, step, wait } from "./open-invocation.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

describe("reports of executions", () => {
  it("return the history in pages", async () => {
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

  it("list a version's executions, oldest first, by a part of the name and by status", async () => {
    const made = storeWith(() => ({ Status: "SUCCEEDED" }));
    for (const [index, name] of ["a", "b", "ac"].entries()) {
      made.moveTo(startMs + index * second);
      made.store.start(flows, { name, payload: "{}" });
    }
    made.moveTo(startMs + 3 * second);
    made.store.start({ ...flows, version: "2" }, { name: "d", payload: "{}" });
    const list = (query: Parameters<typeof made.store.list>[1]) =>
      made.store.list(flows.name, { Qualifier: "1", ...query });
    const [one] = list({ DurableExecutionName: "b" }).DurableExecutions;
    made.store.stop(one?.DurableExecutionArn ?? "");
    await made.store.runDue();

    const names = (query: Parameters<typeof made.store.list>[1]) =>
      list(query).DurableExecutions.map(({ DurableExecutionName }) => DurableExecutionName);

    expect(names({})).toEqual(["a", "b", "ac"]);
    expect(names({ ReverseOrder: "true" })).toEqual(["ac", "b", "a"]);
    expect(names({ DurableExecutionName: "a" })).toEqual(["a", "ac"]);
    expect(names({ Statuses: ["STOPPED"] })).toEqual(["b"]);
    expect(names({ Qualifier: "2" })).toEqual(["d"]);
    expect(names({ Qualifier: "$LATEST" })).toEqual([]);
    expect(made.store.list("others", { Qualifier: "1" }).DurableExecutions).toEqual([]);
    const { NextMarker } = list({ MaxItems: 2 });
    expect(names({ Marker: NextMarker })).toEqual(["ac"]);
  });
});

it("keep executions, timeouts and callbacks in a folder that only this user can read", async () => {
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

  const one = storeWith(() => ({ Status: "SUCCEEDED" }), { journal: openDurableJournal(folder) });

  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(one.store.nextWakeAt()).toBe(startMs + 60 * second);
  expect(one.store.history(arn)).toEqual(history);
  expect(one.store.start(flows, { name: "kept", payload: '{"text":"Zoë"}' })).toEqual({
    arn,
    isNew: false,
  });
  const open = history.Events.find(({ EventType }) => EventType === "CallbackStarted");
  const { CallbackId } = JSON.parse(JSON.stringify(open?.CallbackStartedDetails));
  const tooLong = { result: "x".repeat(mebibyte + 1) };
  expect(() => one.store.completeCallback(CallbackId, tooLong)).toThrow(/1048576/); // it is known
  await one.playUntil(startMs + day);
  expect(one.inputs[0]?.InitialExecutionState.Operations.map(({ Status }) => Status)).toEqual([
    "STARTED",
    "STARTED",
    "SUCCEEDED",
  ]);
  expect(one.store.get(arn).Status).toBe("SUCCEEDED");
  await one.store.close();
});
