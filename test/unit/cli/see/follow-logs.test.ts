import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogLine } from "../../../../cli/see/log-line.ts";
import { createFollower, mergeLogs } from "../../../../cli/see/read-logs.ts";
import { runs } from "../../../helpers/property-runs.ts";

function lineAt(atMs: number, eventId: string, source = "webhook"): LogLine {
  return { atMs, eventId, source, kind: "own", level: "info", message: "", fields: {} };
}

/** A log in which lines are found some time after they were written. */
function createLateLog(written: readonly { readonly atMs: number; readonly lateMs: number }[]) {
  let nowMs = 0;
  const asked: number[] = [];
  const lines = written.map(({ atMs, lateMs }, index) => ({
    line: lineAt(atMs, String(index)),
    foundAt: atMs + lateMs,
  }));
  return {
    asked,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
    readFrom: async (startMs: number) => {
      asked.push(startMs);
      return lines
        .filter(({ line, foundAt }) => line.atMs >= startMs && foundAt <= nowMs)
        .map(({ line }) => line);
    },
  };
}

describe("createFollower", () => {
  it("returns each line once, for any delay of lines and reads", async () => {
    const anyLine = fc.record({
      atMs: fc.integer({ min: 0, max: 900_000 }),
      lateMs: fc.oneof(fc.integer({ min: 0, max: 15_000 }), fc.integer({ min: 0, max: 240_000 })),
    });
    const anyPause = fc.oneof(
      { weight: 9, arbitrary: fc.constant(2_000) },
      fc.integer({ min: 0, max: 20_000 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLine, { maxLength: 40 }),
        fc.infiniteStream(anyPause),
        async (written, pauses) => {
          const log = createLateLog(written);
          const next = createFollower(log.readFrom, { startMs: 0, now: log.now });
          const given: LogLine[] = [];

          while (log.now() < 1_300_000) {
            given.push(...(await next()));
            log.pass(pauses.next().value ?? 0);
          }

          expect(given.map(({ eventId }) => Number(eventId)).toSorted((one, other) => one - other)).toEqual(
            written.map((_, index) => index),
          );
        },
      ),
      runs(),
    );
  });

  it("begins at the given time, and reads back only as far as needed", async () => {
    const log = createLateLog([]);
    log.pass(10_000_000);
    const next = createFollower(log.readFrom, { startMs: 1_000, now: log.now });

    await next();
    log.pass(2_000);
    await next();

    expect(log.asked).toEqual([1_000, 10_000_000 - 20_000]);
  });

  it("returns lines that were written during a long pause", async () => {
    const log = createLateLog([{ atMs: 100_000, lateMs: 0 }]);
    const next = createFollower(log.readFrom, { startMs: 0, now: log.now });
    await next();
    log.pass(4_000_000);

    expect(await next()).toHaveLength(1);
  });

  it("returns the lines of a failed read with the next one", async () => {
    const log = createLateLog([{ atMs: 1_000, lateMs: 0 }]);
    let isBroken = true;
    const readFrom = async (startMs: number) => {
      if (isBroken) throw new Error("no answer");
      return log.readFrom(startMs);
    };
    const next = createFollower(readFrom, { startMs: 0, now: log.now });
    log.pass(5_000);

    await expect(next()).rejects.toThrow("no answer");
    isBroken = false;
    log.pass(120_000);

    expect(await next()).toHaveLength(1);
  });
});

it("mergeLogs merges logs by time", async () => {
  async function* log(source: string, ...times: number[]) {
    for (const atMs of times) yield lineAt(atMs, String(atMs), source);
  }

  const merged = await Array.fromAsync(mergeLogs([log("a", 1, 4, 5), log("b"), log("c", 2, 3, 6)]));

  expect(merged.map(({ source, atMs }) => `${source}${atMs}`)).toEqual(["a1", "c2", "c3", "a4", "a5", "c6"]);
});
