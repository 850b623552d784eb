import { describe, expect, it } from "vitest";
import { effectTagOf, isMarkOf, marksOf, marksOn } from "../../../../lib/events/marks/automatic.ts";

const key = Buffer.from("one key of the marks");
const spoken = { appId: "app-1", sender: "support", receiverType: "user", receiver: "ann" };
const { tags, metadata } = marksOf("an effect", spoken, key);
const mark = metadata.automaticMark;

describe("marksOf", () => {
  it("marks tags and metadata, and names the effect by a tag that the platform accepts", () => {
    expect(tags).toEqual(["automatic", effectTagOf("an effect"), `mark-${mark}`]);
    expect(metadata).toEqual({
      automatic: true,
      automaticMark: expect.stringMatching(/^[0-9a-f]{32}-[0-9a-f]{32}$/),
    });
    expect(effectTagOf("an effect")).toMatch(/^effect-[0-9a-f]{32}$/);
    expect(effectTagOf("other")).not.toBe(effectTagOf("an effect"));
    for (const tag of marksOf("key".repeat(1000), spoken, key).tags)
      expect(tag.length).toBeLessThanOrEqual(100);
  });

  it("returns equal marks for equal effects", () => {
    expect(marksOf("an effect", spoken, key)).toEqual({ tags, metadata });
  });
});

describe("isMarkOf", () => {
  it("accepts a mark of the same sender, receiver and effect", () => {
    expect(isMarkOf(mark, spoken, key)).toBe(true);
    expect(isMarkOf(mark, spoken, key, "an effect")).toBe(true);
  });

  it.each([
    ["another sender", { ...spoken, sender: "ann" }],
    ["another receiver", { ...spoken, receiver: "bela" }],
    ["a group of the receiver's id", { ...spoken, receiverType: "group" }],
    ["another app", { ...spoken, appId: "app-2" }],
    [
      "fields that only look equal when they are joined",
      { ...spoken, sender: "support|user", receiverType: "" },
    ],
  ])("refuses a copied mark: %s", (_case, elsewhere) => {
    expect(isMarkOf(mark, elsewhere, key)).toBe(false);
  });

  it("refuses a mark of another key, of another effect, or with a changed digit", () => {
    const changed = `${mark.slice(0, -1)}${mark.endsWith("0") ? "1" : "0"}`;

    expect(isMarkOf(mark, spoken, Buffer.from("another key"))).toBe(false);
    expect(isMarkOf(mark, spoken, key, "another effect")).toBe(false);
    expect(isMarkOf(changed, spoken, key)).toBe(false);
    expect(isMarkOf(`${"0".repeat(32)}${mark.slice(32)}`, spoken, key)).toBe(false);
  });

  it("accepts IDs that the platform has lowercased", () => {
    const upper = { ...spoken, sender: "Support", receiver: "Ann" };

    expect(isMarkOf(marksOf("an effect", upper, key).metadata.automaticMark, spoken, key)).toBe(true);
  });
});

describe("marksOn", () => {
  it.each([
    ["the tag alone", { tags: ["a", `mark-${mark}`] }],
    ["the metadata alone", { data: { metadata: { a: 1, automaticMark: mark } } }],
    ["both", { tags, data: { metadata } }],
    ["a forged one as well", { tags: ["mark-x", `mark-${mark}`], data: { metadata: { automaticMark: 7 } } }],
  ])("finds a mark by %s, once", (_case, message) => {
    expect(marksOn(message)).toEqual([mark]);
  });

  it.each([
    ["an empty message", {}],
    ["words that any user can write", { tags: ["automatic"], data: { metadata: { automatic: true } } }],
    ["a part of one", { tags: [`mark-${mark.slice(0, 40)}`] }],
    ["more than one", { data: { metadata: { automaticMark: `${mark}${mark}` } } }],
    ["upper case", { tags: [`mark-${mark.toUpperCase()}`] }],
    ["an object", { data: { metadata: { automaticMark: { mark } } } }],
  ])("finds no mark in %s", (_case, message) => {
    expect(marksOn(message)).toEqual([]);
  });

  it("checks at most as many marks as a message can have", () => {
    const forged = Array.from(
      { length: 500 },
      (_, n) => `mark-${String(n).padStart(32, "0")}-${"0".repeat(32)}`,
    );

    expect(marksOn({ tags: forged })).toHaveLength(26);
  });
});
