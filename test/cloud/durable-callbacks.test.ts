import { describe, expect, it } from "vitest";
import { callback, day, mebibyte, openInvocation, second } from "./open-invocation.ts";
import { startMs } from "./play-durable.ts";

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

  it("ends once when both its times are over", async () => {
    const { store, arn, checkpoint, moveTo } = await openInvocation();
    checkpoint(callback("c", { HeartbeatTimeoutSeconds: 60, TimeoutSeconds: 90 }));

    moveTo(startMs + 90 * second);

    const types = store.history(arn).Events.map(({ EventType }) => EventType);
    expect(types.filter((type) => type === "CallbackTimedOut")).toHaveLength(1);
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
