import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isEventItem, packEvent, unpackEvent } from "../../../../lib/queue/lanes/lane-events.ts";

const record = { messageId: "m-1", sequence: "0001", messageBody: "hello" };

describe("packEvent", () => {
  it.each([
    ["a small event", "hello 👋", 1],
    ["an event that compresses", "hello ".repeat(150_000), 1],
    ["an event of 1 MiB that does not compress", randomBytes(786_000).toString("base64"), 3],
  ])("packs %s into items of less than 400 KB, and unpacks it", (_case, messageBody, count) => {
    const event = { ...record, messageBody, replayedAt: 7, finished: ["message_sent a", "message_sent b"] };

    const parts = packEvent(event);

    expect(parts).toHaveLength(count);
    for (const part of parts) {
      const bytes = part.bytes instanceof Uint8Array ? part.bytes.length : JSON.stringify(part).length;
      expect(bytes).toBeLessThan(400_000);
    }
    expect(unpackEvent("0001", parts)).toEqual(event);
  });

  it("returns undefined if a part is missing", () => {
    const parts = packEvent({ ...record, messageBody: randomBytes(786_000).toString("base64") });

    expect(unpackEvent("0001", parts.slice(0, -1))).toBeUndefined();
    expect(unpackEvent("0001", parts.slice(1))).toBeUndefined();
    expect(unpackEvent("0001", [])).toBeUndefined();
  });

  it.each([
    ["that fits", 350_000, "messageBody"],
    ["that has one byte more", 350_001, "bytes"],
  ])("keeps or compresses a text %s", (_case, bytes, field) => {
    const [part] = packEvent({ ...record, messageBody: `é${"x".repeat(bytes - 2)}` });

    expect(part).toHaveProperty(field);
  });

  it.each([
    ["all", { replayedAt: 7, finished: ["a"], ignoresAge: true as const }],
    ["none", {}],
    ["an empty list", { finished: [] }],
  ])("keeps the attributes that a replay has: %s", (_case, replay) => {
    const [part] = packEvent({ ...record, ...replay });

    expect(part).toEqual({ messageId: "m-1", ...replay, parts: 1, messageBody: "hello" });
    expect(unpackEvent("0001", [part ?? {}])).toStrictEqual({ ...record, ...replay });
  });

  it("returns undefined without a message ID", () => {
    expect(unpackEvent("0001", [{ parts: 1, messageBody: "hello" }])).toBeUndefined();
  });
});

it.each([
  ["event 0001 00", true],
  ["state", false],
  ["the event 0001", false],
  [7, false],
])("isEventItem recognizes parts of events by an item's key: %s", (item, isEvent) => {
  expect(isEventItem(item)).toBe(isEvent);
});
