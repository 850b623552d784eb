import { describe, expect, it } from "vitest";
import {
  readStateItem,
  type StateChange,
  writeStateItem,
} from "../../../../lib/effects/state/create-states.ts";

const nowMs = 1_000_000_000_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const changeOf = (by: string, more: Partial<StateChange> = {}) => ({
  ...{ by, atMs: nowMs, before: null, after: "1" },
  ...more,
});
const itemOf = (changes: readonly StateChange[]) => ({ value: undefined, version: undefined, changes });
const write = (changes: readonly StateChange[], change: StateChange, keepForMs = 2 * hourMs) =>
  writeStateItem(itemOf(changes), change, { version: "v2", keepForMs });
const namesIn = ({ changes }: { readonly changes?: unknown }) =>
  Array.isArray(changes) ? changes.map(({ by }) => by) : undefined;

describe("writeStateItem", () => {
  it("writes a value, its version, its end and who changed it", () => {
    expect(write([], changeOf("a"))).toEqual({
      value: "1",
      until: nowMs + 2 * hourMs,
      version: "v2",
      changes: [changeOf("a")],
      expiration: (nowMs + 2 * hourMs) / 1000,
    });
  });

  it("writes no value where it is forgotten", () => {
    expect(write([], changeOf("a", { before: "1", after: null })).value).toBeUndefined();
  });

  it("lets the item outlast a short value by an hour, so that its change is known", () => {
    expect(write([], changeOf("a"), 1_500)).toMatchObject({
      until: nowMs + 1_500,
      expiration: (nowMs + hourMs) / 1000,
    });
  });

  it("is deleted when its time is over, not before: seconds are rounded up", () => {
    expect(write([], changeOf("a"), 2 * hourMs + 1)).toMatchObject({
      expiration: (nowMs + 2 * hourMs) / 1000 + 1,
    });
  });

  it("keeps the changes of the last ten minutes, in their order", () => {
    const at = (by: string, agoMs: number) => changeOf(by, { atMs: nowMs - agoMs });
    const earlier = [at("older", 10 * minuteMs + 1), at("old", 10 * minuteMs), at("young", 1)];

    expect(namesIn(write(earlier, changeOf("new")))).toEqual(["old", "young", "new"]);
  });

  it("keeps as many of the newest as have room, by what they changed from and to", () => {
    const long = (by: string) => changeOf(by, { before: "x".repeat(9_920), after: "y".repeat(10_000) });
    const short = (by: string) => changeOf(by, { before: null, after: null });

    expect(namesIn(write(["a", "b", "c", "d"].map(long), changeOf("new")))).toEqual(["b", "c", "d", "new"]);
    expect(namesIn(write([short("z"), ...["b", "c", "d"].map(long)], changeOf("new")))).toEqual([
      "b",
      "c",
      "d",
      "new",
    ]);
  });
});

describe("readStateItem", () => {
  const item = { value: "1", version: "v1", until: nowMs, changes: [changeOf("a")] };

  it("gives a value until its time is over", () => {
    expect(readStateItem(item, nowMs - 1).value).toBe("1");
    expect(readStateItem(item, nowMs).value).toBeUndefined();
  });

  it("gives the version and the changes of a value that is over", () => {
    expect(readStateItem(item, nowMs + hourMs)).toEqual({
      value: undefined,
      version: "v1",
      changes: [changeOf("a")],
    });
  });

  it.each([
    ["nothing", undefined],
    ["an empty item", {}],
    ["fields of other kinds", { value: 1, version: 2, until: "soon", changes: "none" }],
    ["a value without an end", { value: "1" }],
  ])("gives nothing of %s", (_what, odd) => {
    expect(readStateItem(odd, nowMs)).toEqual({ value: undefined, version: undefined, changes: [] });
  });

  it.each([
    ["no object", "text"],
    ["null", null],
    ["a change without a name", { atMs: 1, before: null, after: null }],
    ["a change without a time", { by: "a", atMs: "1", before: null, after: null }],
    ["a change from something else than text", { by: "a", atMs: 1, before: 1, after: null }],
    ["a change to something else than text", { by: "a", atMs: 1, before: null, after: 1 }],
  ] as const)("leaves out %s, and nothing else", (_what, odd) => {
    const changes = [changeOf("a"), odd, changeOf("b", { before: "0", after: null })];

    expect(namesIn(readStateItem({ ...item, changes }, nowMs))).toEqual(["a", "b"]);
  });

  it("takes a change from and to nothing, as the table leaves nulls out or not", () => {
    const changes = [{ by: "a", atMs: 1 }];

    expect(readStateItem({ ...item, changes }, nowMs).changes).toEqual([
      { by: "a", atMs: 1, before: null, after: null },
    ]);
  });
});
