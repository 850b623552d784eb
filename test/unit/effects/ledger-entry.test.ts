import { describe, expect, it } from "vitest";
import { isUntouched, judgeEntry, readEntry } from "../../../lib/effects/ledger.ts";

const nothing = { owner: undefined, deadline: undefined, since: undefined, result: undefined };

describe("readEntry", () => {
  it("reads what is known, and takes what is odd for nothing", () => {
    const entry = { owner: "me", deadline: 5, since: 3, result: "{}" };

    expect(readEntry({ id: "x", ...entry, expiration: 9 })).toEqual(entry);
    expect(readEntry({ owner: 1, deadline: "5", since: null, result: true })).toEqual(nothing);
    expect(readEntry({})).toEqual(nothing);
  });
});

describe("judgeEntry", () => {
  const owned = { ...nothing, owner: "me", deadline: 100 };

  it.each([
    ["done, whoever has it", { ...owned, result: "1" }, "me", 50, { state: "done", result: "1" }],
    ["done, though long ago", { ...owned, result: "1" }, "you", 500, { state: "done", result: "1" }],
    ["the asker's own", owned, "me", 50, { state: "mine", sinceMs: undefined }],
    ["the asker's own, even late", owned, "me", 500, { state: "mine", sinceMs: undefined }],
    ["the asker's own, and unclear", { ...owned, since: 7 }, "me", 50, { state: "mine", sinceMs: 7 }],
    ["in somebody's hands", owned, "you", 50, { state: "busy", untilMs: 101 }],
    ["in somebody's hands until its last moment", owned, "you", 100, { state: "busy", untilMs: 101 }],
    ["free after that, since then", owned, "you", 101, { state: "free", sinceMs: 100 }],
    ["free, since the later of two", { ...owned, since: 300 }, "you", 500, { state: "free", sinceMs: 300 }],
    ["free, since the deadline", { ...owned, since: 30 }, "you", 500, { state: "free", sinceMs: 100 }],
    ["given back, unclear", { ...nothing, since: 7 }, "you", 500, { state: "free", sinceMs: 7 }],
    ["given back, since nobody knows when", nothing, "you", 500, { state: "free", sinceMs: 0 }],
    ["somebody's without a deadline", { ...nothing, owner: "me" }, "you", 1, { state: "free", sinceMs: 0 }],
  ])("tells what is %s", (_case, entry, asker, nowMs, expected) => {
    expect(judgeEntry(entry, asker, nowMs)).toEqual(expected);
  });
});

describe("isUntouched", () => {
  it("holds for the owner that was seen, or for nobody, and never for what is done or gone", () => {
    const notDone = "attribute_exists(#id) AND attribute_not_exists(#result)";
    const names = { "#id": "id", "#owner": "owner", "#result": "result" };

    expect(isUntouched({ ...nothing, owner: "me" })).toEqual({
      expression: `${notDone} AND #owner = :owner`,
      names,
      values: { ":owner": "me" },
    });
    expect(isUntouched(nothing)).toEqual({
      expression: `${notDone} AND attribute_not_exists(#owner)`,
      names,
    });
  });
});
