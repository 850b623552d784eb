import { describe, expect, it } from "vitest";
import type { CallReport, Stay } from "../../../../lib/handle/phone-calls/call-report.ts";
import { summariseCall } from "../../../../lib/handle/phone-calls/summarise-call.ts";

const startMs = Date.UTC(2026, 2, 2, 8);
const at = (ms: number) => startMs + ms;
const date = (ms: number) => new Date(at(ms));
const session = { appId: "app|1", region: "eu", sessionId: "s-1", occurrenceMs: undefined };

const stayOf = (uid: string | undefined, joined?: number, left?: number, name?: string): Stay => ({
  uid,
  ...(name !== undefined && { name }),
  ...(joined !== undefined && { joinedAt: at(joined) }),
  ...(left !== undefined && { leftAt: at(left) }),
});
const stay = (...facts: Parameters<typeof stayOf>): CallReport => ({
  kind: "stay",
  sessionKind: "call",
  ...stayOf(...facts),
});
const started = (ms: number | undefined, sessionKind: "call" | "meeting" = "call"): CallReport => ({
  kind: "started",
  sessionKind,
  ...(ms !== undefined && { at: at(ms) }),
});
const ended = (endedAt?: number, startedAt?: number, stays: Stay[] = []): CallReport => ({
  kind: "ended",
  sessionKind: "call",
  ...(startedAt !== undefined && { startedAt: at(startedAt) }),
  ...(endedAt !== undefined && { endedAt: at(endedAt) }),
  stays,
});

const summarise = (...facts: CallReport[]) => summariseCall(facts, session);

/** The participants, with the milliseconds since the start. */
const people = (...facts: CallReport[]) =>
  summarise(...facts, ended(100, 0))?.participants.map(({ uid, name, joinedAt, leftAt }) => ({
    uid,
    name,
    ...(joinedAt && { joined: joinedAt.getTime() - startMs }),
    ...(leftAt && { left: leftAt.getTime() - startMs }),
  }));

describe("summariseCall", () => {
  it.each([
    ["nothing is known", []],
    ["it only began", [started(0)]],
    ["it only rang", [{ kind: "rang", at: at(0) }]],
    ["a participant is present", [stay("ann", 0)]],
    ["a participant returned", [stay("ann", 0, 10), stay("ann", 11)]],
    ["one of two is present", [stay("ann", 0, 10), stay("bela", 0)]],
  ] as [string, CallReport[]][])("returns undefined while a session may continue: %s", (_case, facts) => {
    expect(summarise(...facts)).toBeUndefined();
  });

  const meeting = { ...ended(10), sessionKind: "meeting" } as CallReport;

  it.each<[string, CallReport[], object]>([
    ["is over if the platform reports it", [ended(10)], { sessionId: "s-1", isEndReported: true }],
    [
      "is over if the platform reports it, even with a participant present",
      [stay("ann", 0), ended(10)],
      { isEndReported: true },
    ],
    ["is over if all participants left", [stay("ann", 0, 10), stay("bela", 5, 9)], { isEndReported: false }],
    [
      "is over if a participant left at the time of returning",
      [stay("ann", 0, 10), stay("ann", 10)],
      { isEndReported: false },
    ],
    [
      "is over if a participant left whose join is unknown",
      [stay("ann", undefined, 10)],
      { isEndReported: false },
    ],
    [
      "begins at the platform's earliest start",
      [started(5), started(3), ended(10, 4)],
      { startedAt: date(3) },
    ],
    ["begins at the start that its end names", [started(5), ended(10, 4)], { startedAt: date(4) }],
    [
      "begins when the first participant joined, without a reported start",
      [stay("ann", 7, 9), stay("bela", 6), ended(10)],
      { startedAt: date(6) },
    ],
    [
      "does not begin when a participant joined, with a reported start",
      [stay("ann", 1, 9), started(5), ended(10)],
      { startedAt: date(5) },
    ],
    [
      "has no start and no length without a report",
      [ended(10)],
      { startedAt: undefined, durationMs: undefined },
    ],
    [
      "ends at the platform's latest end",
      [ended(9, 0), ended(10, 0), stay("ann", 0, 50)],
      { endedAt: date(10), durationMs: 10 },
    ],
    [
      "ends when the last participant left, without a reported end",
      [stay("ann", 0, 8), stay("bela", 0, 9)],
      { endedAt: date(9), durationMs: 9 },
    ],
    [
      "ends when the last participant left, without a time of the end",
      [ended(undefined, 0), stay("ann", 0, 8)],
      { endedAt: date(8), durationMs: 8 },
    ],
    [
      "has no end and no length without a time",
      [ended(undefined, 0)],
      { endedAt: undefined, durationMs: undefined },
    ],
    ["never ends before it began", [ended(3, 10)], { durationMs: 0 }],
    ["is a meeting by its end", [meeting], { sessionKind: "meeting" }],
    ["is a call by its start", [meeting, started(0)], { sessionKind: "call" }],
    ["is a call by a stay", [meeting, stay("ann", 0, 1)], { sessionKind: "call" }],
    ["is a call by an end", [meeting, ended(10)], { sessionKind: "call" }],
    [
      "lists participants that only the end names",
      [ended(100, 0, [stayOf("ann", 1, 9)])],
      { participants: [{ uid: "ann", presentMs: 8 }] },
    ],
  ])("a session %s", (_case, facts, expected) => {
    expect(summarise(...facts)).toMatchObject(expected);
  });

  it("names the occurrence, and the meeting if the session's ID is reused", () => {
    const once = summarise(ended(10))?.head;
    const again = summariseCall([ended(10)], { ...session, occurrenceMs: 77 })?.head;

    expect(once).toMatchObject({
      key: "app\\|1|call_summary|s-1",
      lane: "app\\|1|s-1",
      canRecur: false,
      family: "webhook",
      engine: "current",
      trigger: "call_summary",
      appId: "app|1",
      region: "eu",
      occurredAt: date(10),
    });
    expect(again?.key).toBe("app\\|1|call_summary|s-1|77");
    expect(again?.lane).toBe(once?.lane);
  });

  it("returns caller and callee of the first ringing, for any order", () => {
    const rang = (ms: number | undefined, caller: string): CallReport => ({
      kind: "rang",
      at: ms === undefined ? undefined : at(ms),
      caller,
      callee: `${caller}'s friend`,
      type: "video",
      conversation: { id: `c-${caller}`, type: "user" },
    });

    for (const facts of [
      [rang(5, "ann"), rang(2, "bela"), rang(undefined, "carl")],
      [rang(undefined, "carl"), rang(2, "bela"), rang(5, "ann")],
    ]) {
      expect(summarise(...facts, ended(10))).toMatchObject({
        caller: "bela",
        callee: "bela's friend",
        type: "video",
        head: { conversation: { id: "c-bela" } },
      });
    }
    expect(summarise(rang(1, "b"), rang(1, "a"), ended(10))?.caller).toBe("a");
    expect(summarise(rang(1, "a"), rang(1, "b"), ended(10))?.caller).toBe("a");
  });

  const ann = { uid: "ann", name: undefined };

  it.each<[string, CallReport[], object[]]>([
    [
      "in order of joining, with unknown joins last",
      [stay("carl", undefined, 5), stay("bela", 2, 9), stay("ann", 1, 9)],
      [{ uid: "ann" }, { uid: "bela" }, { uid: "carl" }],
    ],
    [
      "by name if they joined at the same time",
      [stay("ann", 1, 9), stay("bela", 1, 9)],
      [ann, { uid: "bela" }],
    ],
    [
      "from their first join to their last leave",
      [stay("ann", 30, 40), stay("ann", 10, 20), stay("ann", 35, 36)],
      [{ ...ann, joined: 10, left: 40 }],
    ],
    [
      "by uid, if only one person has the name of a stay without uid",
      [stay("ann", 1, 5, "Ann"), stay(undefined, 6, 9, "Ann")],
      [{ uid: "ann", name: "Ann", joined: 1, left: 9 }],
    ],
    [
      "by name, if two persons have it",
      [stay("ann", 1, 5, "Ann"), stay("anna", 2, 5, "Ann"), stay(undefined, 6, 9, "Ann")],
      [{ uid: "ann" }, { uid: "anna" }, { uid: undefined }],
    ],
    [
      "by name, if no person has an ID",
      [stay(undefined, 1, 2, "Ann"), stay(undefined, 3, 4, "Bela")],
      [{}, {}],
    ],
    ["apart from a stay with neither", [stay("ann", 1, 2), stay(undefined, 3, 4)], [{}, {}]],
    [
      "by their known name",
      [stay("ann", 1, 2), stay("ann", 3, 4, "Bann"), stay("ann", 5, 6, "Ann")],
      [{ uid: "ann", name: "Ann" }],
    ],
  ])("lists each person once, %s", (_case, stays, expected) => {
    expect(people(...stays)).toMatchObject(expected);
  });

  it.each<[string, CallReport[], number | undefined, CallReport?]>([
    ["all stays together", [stay("ann", 10, 20), stay("ann", 50, 55)], 15],
    ["until the end, if no leave is reported", [stay("ann", 10)], 90],
    ["until the end after a return", [stay("ann", 10, 20), stay("ann", 90)], 20],
    ["since the start, if no join is reported", [stay("ann", undefined, 30)], 30],
    ["a second device as the same stay", [stay("ann", 10, 60), stay("ann", 20)], 50],
    ["a second leave as the same stay", [stay("ann", 10, 60), stay("ann", undefined, 70)], 50],
    ["a return in the second of leaving as having stayed", [stay("ann", 10, 20), stay("ann", 20, 30)], 20],
    ["the same, while the second leave is not known", [stay("ann", 10, 20), stay("ann", 20)], 90],
    [
      "a return and a leave in the second of leaving as nothing",
      [stay("ann", 10, 20), stay("ann", 20, 20)],
      10,
    ],
    ["a stay of less than a second as nothing", [stay("ann", 10, 10)], 0],
    ["a second device that comes as the first leaves", [stay("ann", 10, 60), stay("ann", 60, 70)], 60],
    ["nothing of a join after the end", [stay("ann", 150)], 0],
    ["nothing of a leave before the start", [stay("ann", undefined, -5)], 0],
    ["the same stay once, however often it is reported", [stay("ann", 10, 20), stay("ann", 10, 20)], 10],
    ["unknown, without a join or a leave", [stay("ann")], undefined],
    ["unknown, without an end", [stay("ann", 10)], undefined, ended(undefined, 0)],
    ["only reported stays, without an end", [stay("ann", 10, 20), stay("ann", 30)], 10, ended(undefined, 0)],
    ["unknown, without a start or a join", [stay("ann", undefined, 20)], undefined, ended(100)],
  ])("adds up how long a person was present: %s", (_case, stays, presentMs, end = ended(100, 0)) => {
    expect(summarise(...stays, end)?.participants).toMatchObject([{ presentMs }]);
  });
});
