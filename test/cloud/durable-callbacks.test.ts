import { describe, expect, it } from "vitest";
import { callback, day, mebibyte, openInvocation, second } from "./open-invocation.ts";
import { startMs } from "./play-durable.ts";

describe("a callback", () => {
  it("times out after its TimeoutSeconds", async () => {
    const { store, arn, checkpoint, moveTo, operations } = await openInvocation();
    const [opened] = checkpoint(callback("c", { TimeoutSeconds: 150 }));
    const id = opened?.CallbackDetails?.CallbackId ?? "";

    moveTo(startMs + 149 * second);
    const before = operations().at(-1)?.Status;
    moveTo(startMs + 150 * second);

    expect(before).toBe("STARTED");
    expect(operations().at(-1)).toMatchObject({ Status: "TIMED_OUT" });
    expect(() => store.completeCallback(id, { result: "" })).toThrow(
      expect.objectContaining({ code: "CallbackTimeoutException" }),
    );
    expect(store.history(arn).Events.slice(2)).toMatchObject([{ EventType: "CallbackTimedOut", Id: "c" }]);
  });

  it("is refused with a HeartbeatTimeoutSeconds", async () => {
    const { checkpoint } = await openInvocation();

    expect(() => checkpoint(callback("c", { HeartbeatTimeoutSeconds: 60 }))).toThrow(
      /HeartbeatTimeoutSeconds/,
    );
  });

  it("stays open while its execution runs without a timeout, or with 0", async () => {
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

  it("accepts 1 MB but not a byte more, and refuses an unknown id", async () => {
    const { store, arn, checkpoint } = await openInvocation();
    const [opened] = checkpoint(callback("c"));
    const id = opened?.CallbackDetails?.CallbackId ?? "";

    expect(id).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(() => store.completeCallback(id, { result: "x".repeat(mebibyte + 1) })).toThrow(/1048576/);
    expect(() => store.completeCallback(`${id}A`, { result: "" })).toThrow(
      expect.objectContaining({ code: "InvalidParameterValueException" }),
    );
    const result = "x".repeat(mebibyte);
    store.completeCallback(id, { result });
    expect(store.history(arn).Events.at(-1)).toMatchObject({
      EventType: "CallbackSucceeded",
      CallbackSucceededDetails: { Result: { Payload: result } },
    });
    expect(checkpoint()).toMatchObject([{ Status: "SUCCEEDED", CallbackDetails: { Result: result } }]);
  });
});
