import { describe, expect, it } from "vitest";
import { factsOf, oldestMs } from "../../../lib/queue/message-facts.ts";

const event = { v: 1, appId: "app-1", trigger: "message_sent", key: "key-1", receivedAt: 7, body: "{}" };
const facts = { appId: "app-1", trigger: "message_sent", deliveryKey: "key-1", receivedAt: 7 };

describe("factsOf", () => {
  it("reads what an event says of itself", () => {
    expect(factsOf(event)).toEqual(facts);
  });

  it("names a check of a phone call by what it checks", () => {
    const { trigger: _, ...check } = event;

    expect(factsOf({ ...check, check: "call_summary" })).toEqual({ ...facts, trigger: "call_summary" });
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "message"],
    ["a list", []],
    ["a message without an app", { ...event, appId: undefined }],
    ["a message whose app is no text", { ...event, appId: 7 }],
    ["a message without a key", { ...event, key: undefined }],
    ["a message whose key is no text", { ...event, key: 7 }],
    ["a message without a time", { ...event, receivedAt: undefined }],
    ["a message whose time is no number", { ...event, receivedAt: "7" }],
  ])("takes %s for no message of this system", (_case, message) => {
    expect(factsOf(message)).toBeUndefined();
  });
});

describe("oldestMs", () => {
  it("is 30 days", () => {
    expect(oldestMs).toBe(2_592_000_000);
  });
});
