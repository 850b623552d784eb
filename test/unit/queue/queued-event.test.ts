import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toQueuedBody } from "../../../lib/queue/queued-event.ts";
import { bytesOf, payloadOf, readQueuedEvent } from "../../../lib/queue/read-queued-event.ts";

const queued = {
  v: 1,
  appId: "app-1",
  family: "webhook",
  trigger: "message_sent",
  key: "key-1",
  receivedAt: 7,
  body: "{}",
  base64: false,
} as const;

describe("toQueuedBody", () => {
  it.each([
    ["a text", Buffer.from("héllo"), { body: "héllo", base64: false }],
    ["an empty body", Buffer.alloc(0), { body: "", base64: false }],
    ["a text with U+FFFD", Buffer.from("a\uFFFD"), { body: "a\uFFFD", base64: false }],
    ["bytes that are not UTF-8", Buffer.from([0xff, 0x00]), { body: "/wA=", base64: true }],
  ])("keeps %s unchanged", async (_case, bytes, expected) => {
    const body = await toQueuedBody(bytes);

    expect(body).toEqual(expected);
    expect(bytesOf(body)).toEqual(bytes);
  });

  it("does not decode bytes again if their text is given", async () => {
    expect(await toQueuedBody(Buffer.from("bytes"), "the same as text")).toMatchObject({
      body: "the same as text",
    });
  });

  // As JSON, a text has two quotation marks more; a message needs room for its other fields, too.
  it.each([
    ["up to 899,999 bytes unchanged", "x".repeat(899_997), undefined],
    ["from 900,000 bytes on compressed", "x".repeat(899_998), true],
    ["compressed by its size as JSON, not by its own size", '"'.repeat(449_999), true],
    ["compressed by bytes, not characters", "é".repeat(449_999), true],
    ["of less than a sixth unchanged, since none grows more as JSON", "\u0001".repeat(149_999), undefined],
    ["of 500,000 bytes unchanged", "x".repeat(500_000), undefined],
  ])("keeps a text %s", async (_case, text, gzip) => {
    const body = await toQueuedBody(Buffer.from(text));

    expect(body.gzip).toBe(gzip);
    expect(body.base64).toBe(gzip === true);
    expect(bytesOf(body).toString("utf8")).toBe(text);
  });
});

describe("readQueuedEvent", () => {
  it("returns the message, with only the optional fields that are present", () => {
    const whole = { ...queued, canRecur: true, gzip: true } as const;

    expect(readQueuedEvent(queued)).toStrictEqual(queued);
    expect(readQueuedEvent(whole)).toStrictEqual(whole);
    expect(readQueuedEvent({ ...queued, later: "a field of a later version" })).toStrictEqual(queued);
  });

  it.each(["webhook", "legacy", "bot", "notification", "extension"])("accepts the family %s", (family) => {
    expect(readQueuedEvent({ ...queued, family }).family).toBe(family);
  });

  it.each([
    ["undefined", undefined],
    ["another version", { ...queued, v: 2 }],
    ["an unknown family", { ...queued, family: "another" }],
    ["no body", { ...queued, body: undefined }],
    ["an invalid canRecur", { ...queued, canRecur: false }],
    ["an invalid gzip", { ...queued, gzip: false }],
  ])("refuses %s", (_case, message) => {
    expect(() => readQueuedEvent(message)).toThrow();
  });
});

describe("payloadOf", () => {
  const compressed = gzipSync("héllo").toString("base64");

  it.each([
    ["a text", { body: "héllo", base64: false }, "héllo"],
    ["bytes", { body: "aMOpbGxv", base64: true }, "héllo"],
    ["a compressed text", { body: compressed, base64: true, gzip: true }, "héllo"],
    ["bytes that are not compressed", { body: "aMOpbGxv", base64: true, gzip: true }, undefined],
    ["no body", { base64: false }, undefined],
    ["another message", "a text", undefined],
  ])("reads %s of a message", (_case, message, payload) => {
    expect(payloadOf(JSON.stringify(message))).toBe(payload);
  });

  it("returns undefined for a message that is not JSON", () => {
    expect(payloadOf("{")).toBeUndefined();
  });
});
