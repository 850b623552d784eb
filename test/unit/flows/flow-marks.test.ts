import { describe, expect, it } from "vitest";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const nowMs = 1_000_000_000_000;

/** Marks of one app's messages, and how often the table was asked. */
function createMarks() {
  const table = createMemoryTable("waits", "flow");
  let queries = 0;
  const counted: typeof table = {
    ...table,
    query: (...asked) => {
      queries += 1;
      return table.query(...asked);
    },
  };
  const marks = createFlowMarks(counted, () => nowMs);
  const keep = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        marks.keep("app-1", "message_sent", { key: `fact-${index}`, receivedAt: nowMs + index, text: "{}" }),
      ),
    );
  return { marks, keep, queries: () => queries };
}

describe("kept events", () => {
  it.each([0, 1, 99, 100, 101, 250])("of %d are all read once, in the order of receipt", async (count) => {
    const { marks, keep } = createMarks();
    await keep(count);

    const read = await Array.fromAsync(marks.keptSince("app-1", "message_sent", nowMs));

    expect(read.map(({ key }) => key)).toEqual(Array.from({ length: count }, (_, index) => `fact-${index}`));
  });

  it("are read from a moment on", async () => {
    const { marks, keep } = createMarks();
    await keep(5);

    const read = await Array.fromAsync(marks.keptSince("app-1", "message_sent", nowMs + 3));

    expect(read.map(({ key }) => key)).toEqual(["fact-3", "fact-4"]);
  });

  it("are not read on once the one that was looked for is found", async () => {
    const { marks, keep, queries } = createMarks();
    await keep(1_000);

    for await (const { key } of marks.keptSince("app-1", "message_sent", nowMs)) if (key === "fact-7") break;

    expect(queries()).toBe(1);
  });
});
