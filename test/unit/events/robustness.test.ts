import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../lib/events/parse-event.ts";

describe("parseEvent", () => {
  it.each([100, 1_000, 10_000, 500_000])("refuses a body whose data is nested %i deep", (depth) => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    const nested = { path: "", expected: "at most 100 objects and lists inside each other", found: "more" };

    const results = [deep, { ...deep, trigger: "message_sent" }].map((body) => parseEvent(body));

    expect(results).toEqual(results.map(() => ({ ok: false, problems: [nested] })));
  });

  it("understands a body nested as deeply as is allowed", () => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${'{"a":'.repeat(99)}1${"}".repeat(99)}}`);

    const result = parseEvent(deep);

    expect(result).toMatchObject({ ok: true, event: { kind: "unknown" } });
    expect(JSON.stringify(result)).toContain('{"a":1}');
  });
});
