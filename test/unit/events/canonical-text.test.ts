import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText, digestOf } from "../../../lib/events/canonical-text.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runs } from "../../helpers/property-runs.ts";

describe("canonicalText", () => {
  it("differs exactly for values with different JSON", () => {
    const value = fc.jsonValue({ maxDepth: 3 }).filter((one) => !JSON.stringify(one).includes("null"));
    const sorted = (one: unknown) =>
      JSON.stringify(one, (_, inner) => (isMap(inner) ? ordered(inner) : inner));

    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(canonicalText(left) === canonicalText(right)).toBe(sorted(left) === sorted(right));
      }),
      runs(500),
    );
  });

  it("does not change its form, because digests of it are stored", () => {
    const value = { b: [1, "é", null, { c: undefined }], a: { y: true, x: null, z: 'q"' } };

    expect(canonicalText(value)).toBe(`{"a":{"y":true,"z":"q\\"",},"b":[1,"é",null,{},],}`);
    expect([undefined, null, 1.5, "a", [], {}].map(canonicalText)).toEqual([
      "null",
      "null",
      "1.5",
      '"a"',
      "[]",
      "{}",
    ]);
  });

  it("handles a depth beyond the call stack, and includes the innermost value", () => {
    const deep = (bottom: string) => JSON.parse(`${"[".repeat(50_000)}${bottom}${"]".repeat(50_000)}`);

    expect(canonicalText(deep("1"))).not.toBe(canonicalText(deep("2")));
  });
});

it("digestOf returns 32 hexadecimal digits that do not reveal the text", () => {
  expect(digestOf({ text: "Привет 👋" })).toMatch(/^[0-9a-f]{32}$/);
  expect(digestOf({ text: "Привет 👋" })).not.toBe(digestOf({ text: "Привет" }));
});

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ordered(map: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

describe("parseEvent", () => {
  it.each([100, 500_000])("omits values nested deeper than 100 of %i levels", (depth) => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${"[".repeat(depth)}${"]".repeat(depth)}}`);

    const result = parseEvent(deep);

    expect(result).toMatchObject({ ok: true, oddities: [{ path: "", found: "more" }] });
    expect(JSON.stringify(result).match(/\[/g)).toHaveLength(99 + 1);
  });

  it.each([97, 100_000])("understands a message whose metadata is nested %i deep", (depth) => {
    const metadata = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);

    const result = parseEvent(events.messageSent({ id: "7", text: "buy now", metadata }));

    expect(result).toMatchObject({ ok: true, event: { message: { id: "7", data: { text: "buy now" } } } });
  });

  it("understands a body nested as deeply as is allowed", () => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${'{"a":'.repeat(99)}1${"}".repeat(99)}}`);

    const result = parseEvent(deep);

    expect(result).toMatchObject({ ok: true, event: { kind: "unknown" } });
    expect(JSON.stringify(result)).toContain('{"a":1}');
  });
});
