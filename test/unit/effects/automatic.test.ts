import { describe, expect, it } from "vitest";
import { effectTagOf, isAutomatic, marksOf } from "../../../lib/effects/automatic.ts";

const written = { sender: "ann", tags: ["a"], data: { metadata: { a: 1 } } };

describe("marksOf", () => {
  it("marks twice, and names the effect by a tag that the platform takes", () => {
    const marks = marksOf("key");

    expect(marks).toEqual({ tags: ["automatic", effectTagOf("key")], metadata: { automatic: true } });
    expect(effectTagOf("key")).toMatch(/^effect-[0-9a-f]{32}$/);
    expect(effectTagOf("other")).not.toBe(effectTagOf("key"));
    expect(effectTagOf("key".repeat(1000))).toHaveLength(39);
  });
});

describe("isAutomatic", () => {
  it.each([
    ["the tag alone", { ...written, tags: ["automatic"] }],
    ["the metadata alone", { ...written, data: { metadata: { automatic: true } } }],
    ["the platform's own user", { ...written, sender: "app_system" }],
    ["what the marks themselves say", { ...written, tags: marksOf("key").tags, data: {} }],
  ])("knows an automatic message by %s", (_case, message) => {
    expect(isAutomatic(message)).toBe(true);
  });

  it.each([
    ["other marks", written],
    ["none", { sender: "ann", data: {} }],
    ["metadata that only looks like it", { ...written, data: { metadata: { automatic: "true" } } }],
    ["a tag that only looks like it", { ...written, tags: ["automatically"] }],
  ])("takes a message with %s for a person's", (_case, message) => {
    expect(isAutomatic(message)).toBe(false);
  });
});
