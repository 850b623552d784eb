import { describe, expect, it, vi } from "vitest";
import { keepLines } from "../../../local/console/kept-list.ts";
import { type LineFilter, pickLines } from "../../../local/console/routes/log-routes.ts";
import { firstId } from "../../../local/stack/first-id.ts";
import { createNewsBus } from "../../../local/stack/stack-news.ts";

function keep(lines: readonly string[], options?: Parameters<typeof keepLines>[1]) {
  const bus = createNewsBus();
  const { lines: store } = keepLines(bus, { startsAfter: 0, ...options });
  for (const [index, line] of lines.entries()) {
    const kind = /^(START|END|REPORT) /.test(line) ? "lambdaLine" : "line";
    bus.publish({
      kind,
      functionKey: line.includes("webhook") ? "webhook" : "processEvents",
      line,
      atMs: index,
    });
  }
  return store;
}

const lineOf = (level: string, message: string, fields: object = {}) =>
  JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", level, message, ...fields });

const { all: lines } = keep([
  lineOf("DEBUG", "looked at an event", { deliveryKey: "k1" }),
  lineOf("INFO", "handled an event", { deliveryKey: "k1", queueMessageId: "q1", appId: "shop" }),
  lineOf("WARN", "webhook: odd", { requestId: "r1" }),
  lineOf("ERROR", "failed", { deliveryKey: "k2", stack: "lib/x.ts:1:2\nlib/y.ts:3:4" }),
  "START RequestId: r1 Version: $LATEST",
  JSON.stringify({ _aws: {}, Handled: 1 }),
  "plain text, no JSON",
]);
const idsOf = (filter: LineFilter) => pickLines(lines, filter).rows.map(({ id }) => id);

describe("pickLines", () => {
  it.each([
    ["info and above", {}, [2, 3, 4, 7]],
    ["everything", { level: "debug", lambda: "yes" }, [1, 2, 3, 4, 5, 6, 7]],
    ["debug without Lambda's", { level: "debug" }, [1, 2, 3, 4, 6, 7]],
    ["Lambda's too", { lambda: "yes" }, [2, 3, 4, 5, 7]],
    ["errors", { level: "error" }, [4]],
    ["a function", { function: "webhook" }, [3]],
    ["an app", { app: "shop" }, [2]],
    ["a delivery", { level: "debug", key: "k1" }, [1, 2]],
    ["a queue message", { message: "q1" }, [2]],
    ["an invocation", { request: "r1", lambda: "yes" }, [3, 5]],
    ["a text", { text: "LIB/X.ts" }, [4]],
    ["a text that looks like a pattern", { text: ".*" }, []],
  ] as const)("picks %s", (_, filter, expected) => {
    expect(idsOf(filter)).toEqual(expected);
  });

  it("pages back, each page with its oldest line first", () => {
    const { all } = keep(Array.from({ length: 301 }, (_, index) => lineOf("INFO", `line ${index}`)));
    const [newest, older] = [1, 2].map((page) => pickLines(all, { page }));

    expect(newest).toMatchObject({ rows: { 0: { id: 2 }, 299: { id: 301 } }, total: 301 });
    expect(older?.rows).toMatchObject([{ id: 1 }]);
  });
});

describe("a row of the log", () => {
  it("has fields as text, and cuts long ones", () => {
    const text = lineOf("INFO", "said this", { list: [1, 2], long: "x".repeat(9_000), empty: "" });
    const [row] = pickLines(keep([text]).all, {}).rows;

    expect(row).toMatchObject({ message: "said this", level: "info", fields: { list: "[1,2]" } });
    expect(row?.fields.long).toHaveLength(2_002);
    expect(row?.fields).not.toHaveProperty("empty");
  });
});

describe("keepLines", () => {
  it("keeps the newest lines, by number and by length", () => {
    const byNumber = keep(
      Array.from({ length: 50 }, (_, index) => `line ${index}`),
      { most: 10 },
    );
    const byLength = keep(
      Array.from({ length: 50 }, () => "x".repeat(100)),
      { characters: 1_000 },
    );

    expect(byNumber.all).toHaveLength(10);
    expect(byNumber.find(50)?.text).toBe("line 49");
    expect(byLength.all.length).toBeLessThanOrEqual(11);
  });

  it("finds no line by an earlier start's number", () => {
    vi.useFakeTimers({ now: 1_770_000_000_000 });
    const [before] = keep(["of the start before"], { startsAfter: firstId() }).all;
    vi.setSystemTime(1_770_000_000_001);
    const after = keep(["another line", "and one more"], { startsAfter: firstId() });
    vi.useRealTimers();

    expect(after.find(before?.id ?? 0)).toBeUndefined();
  });

  it("cuts a very long line", () => {
    const [line] = keep(["x".repeat(1_000_000)]).all;

    expect(line?.text.length).toBeLessThan(70_000);
  });
});
