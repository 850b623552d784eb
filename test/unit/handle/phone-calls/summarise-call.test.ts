import { describe, expect, it } from "vitest";
import type { CallFact, Stay } from "../../../../lib/handle/phone-calls/call-fact.ts";
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
const stay = (...facts: Parameters<typeof stayOf>): CallFact => ({
  kind: "stay",
  sessionKind: "call",
  ...stayOf(...facts),
});
const started = (ms: number | undefined, sessionKind: "call" | "meeting" = "call"): CallFact => ({
  kind: "started",
  sessionKind,
  ...(ms !== undefined && { at: at(ms) }),
});
const ended = (endedAt?: number, startedAt?: number, stays: Stay[] = []): CallFact => ({
  kind: "ended",
  sessionKind: "call",
  ...(startedAt !== undefined && { startedAt: at(startedAt) }),
  ...(endedAt !== undefined && { endedAt: at(endedAt) }),
  stays,
});

const summarise = (...facts: CallFact[]) => summariseCall(facts, session);

/** How long the only person was present, in a session from 0 to 100 unless said otherwise. */
function presence(stays: readonly CallFact[], whole: readonly CallFact[] = [ended(100, 0)]) {
  const people = summarise(...stays, ...whole)?.participants ?? [];
  expect(people).toHaveLength(1);
  return people[0]?.presentMs;
}

describe("summariseCall", () => {
  describe("says nothing while a session may go on:", () => {
    it.each([
      ["nothing is known", []],
      ["it only began", [started(0)]],
      ["it only rang", [{ kind: "rang", at: at(0) }]],
      ["somebody is there", [stay("ann", 0)]],
      ["somebody came back", [stay("ann", 0, 10), stay("ann", 11)]],
      ["one of two is there", [stay("ann", 0, 10), stay("bela", 0)]],
    ] as [string, CallFact[]][])("%s", (_case, facts) => {
      expect(summarise(...facts)).toBeUndefined();
    });
  });

  it.each([
    ["the platform said so", [ended(10)], true],
    ["the platform said so, although somebody seems to be there", [stay("ann", 0), ended(10)], true],
    ["everybody has left", [stay("ann", 0, 10), stay("bela", 5, 9)], false],
    ["somebody left in the moment in which he came back", [stay("ann", 0, 10), stay("ann", 10)], false],
    ["somebody left of whose coming nothing is known", [stay("ann", undefined, 10)], false],
  ] as [string, CallFact[], boolean][])("knows that it is over: %s", (_case, facts, isEndReported) => {
    expect(summarise(...facts)).toMatchObject({ sessionId: "s-1", isEndReported });
  });

  it("names the fact, and the meeting where the session's id is used again", () => {
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

  describe("begins", () => {
    it.each([
      ["when the platform says so first", [started(5), started(3), ended(10, 4)], 3],
      ["as its end says", [started(5), ended(10, 4)], 4],
      ["when the first joined, where nobody says", [stay("ann", 7, 9), stay("bela", 6), ended(10)], 6],
      ["not when people joined, where the platform says", [stay("ann", 1, 9), started(5), ended(10)], 5],
    ] as [string, CallFact[], number][])("%s", (_case, facts, expected) => {
      expect(summarise(...facts)?.startedAt).toEqual(date(expected));
    });

    it("nobody knows when, and so not how long it took", () => {
      expect(summarise(ended(10))).toMatchObject({ startedAt: undefined, durationMs: undefined });
    });
  });

  describe("ends", () => {
    it.each([
      ["when the platform says so last", [ended(9, 0), ended(10, 0), stay("ann", 0, 50)], 10],
      ["when the last one left, where it does not", [stay("ann", 0, 8), stay("bela", 0, 9)], 9],
      ["when the last one left, where it does not say when", [ended(undefined, 0), stay("ann", 0, 8)], 8],
    ] as [string, CallFact[], number][])("%s", (_case, facts, expected) => {
      expect(summarise(...facts)).toMatchObject({ endedAt: date(expected), durationMs: expected });
    });

    it("nobody knows when, and so not how long it took", () => {
      expect(summarise(ended(undefined, 0))).toMatchObject({ endedAt: undefined, durationMs: undefined });
    });

    it("never before it began", () => {
      expect(summarise(ended(3, 10))?.durationMs).toBe(0);
    });
  });

  it("takes a session for a meeting where everything says so, and for a call where anything does not", () => {
    const meeting = { sessionKind: "meeting" } as const;

    expect(summarise({ ...ended(10), ...meeting } as CallFact)?.sessionKind).toBe("meeting");
    for (const fact of [started(0), stay("ann", 0, 1), ended(10)]) {
      expect(summarise({ ...ended(10), ...meeting } as CallFact, fact)?.sessionKind).toBe("call");
    }
    expect(summarise({ ...ended(10), ...meeting } as CallFact, started(0, "meeting"))?.sessionKind).toBe(
      "meeting",
    );
  });

  it("tells who rang whom, by the first ringing, however the others came", () => {
    const rang = (ms: number | undefined, caller: string): CallFact => ({
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

  describe("lists each person once", () => {
    const people = (...stays: CallFact[]) =>
      summarise(...stays, ended(100, 0))?.participants.map(({ uid, name, joinedAt, leftAt }) => ({
        uid,
        name,
        ...(joinedAt && { joined: joinedAt.getTime() - startMs }),
        ...(leftAt && { left: leftAt.getTime() - startMs }),
      }));

    it("in the order in which they came, whom nobody saw come at the end", () => {
      const stays = [stay("carl", undefined, 5), stay("bela", 2, 9), stay("ann", 1, 9)];

      expect(people(...stays)?.map(({ uid }) => uid)).toEqual(["ann", "bela", "carl"]);
    });

    it("in an order that does not depend on the events', where they came at once", () => {
      const [ann, bela] = [stay("ann", 1, 9), stay("bela", 1, 9)];

      expect(people(ann, bela)).toEqual(people(bela, ann));
      expect(people(bela, ann)?.map(({ uid }) => uid)).toEqual(["ann", "bela"]);
    });

    it("from their first coming to their last leaving", () => {
      expect(people(stay("ann", 30, 40), stay("ann", 10, 20), stay("ann", 35, 36))).toEqual([
        { uid: "ann", name: undefined, joined: 10, left: 40 },
      ]);
    });

    it("with those whom only the end names", () => {
      const summary = summarise(ended(100, 0, [stayOf("ann", 1, 9)]));

      expect(summary?.participants).toMatchObject([{ uid: "ann", presentMs: 8 }]);
    });

    it("by uid, where one person alone has the name of who has none", () => {
      expect(people(stay("ann", 1, 5, "Ann"), stay(undefined, 6, 9, "Ann"))).toEqual([
        { uid: "ann", name: "Ann", joined: 1, left: 9 },
      ]);
    });

    it("by name, where two persons have it, or nobody", () => {
      const two = [stay("ann", 1, 5, "Ann"), stay("anna", 2, 5, "Ann"), stay(undefined, 6, 9, "Ann")];

      expect(people(...two)?.map(({ uid }) => uid)).toEqual(["ann", "anna", undefined]);
      expect(people(stay(undefined, 1, 2, "Ann"), stay(undefined, 3, 4, "Bela"))).toHaveLength(2);
      expect(people(stay("ann", 1, 2), stay(undefined, 3, 4))).toHaveLength(2);
    });

    it("under the name that is known of them, whichever comes first", () => {
      const expected = [{ uid: "ann", name: "Ann" }];

      expect(people(stay("ann", 1, 2), stay("ann", 3, 4, "Bann"), stay("ann", 5, 6, "Ann"))).toMatchObject(
        expected,
      );
      expect(people(stay("ann", 5, 6, "Ann"), stay("ann", 3, 4, "Bann"), stay("ann", 1, 2))).toMatchObject(
        expected,
      );
    });
  });

  describe("adds up how long a person was present:", () => {
    it.each([
      ["all stays together", [stay("ann", 10, 20), stay("ann", 50, 55)], 15],
      ["until the end, where no leave is reported", [stay("ann", 10)], 90],
      ["until the end after coming back", [stay("ann", 10, 20), stay("ann", 90)], 20],
      ["since the start, where no coming is reported", [stay("ann", undefined, 30)], 30],
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
      ["the same, told by two events", [stay("ann", 10), stay("ann", undefined, 10)], 0],
      ["a second device that comes as the first leaves", [stay("ann", 10, 60), stay("ann", 60, 70)], 60],
      ["nothing of a coming after the end", [stay("ann", 150)], 0],
      ["nothing of a leave before the start", [stay("ann", undefined, -5)], 0],
      ["the same stay once, however often it is told", [stay("ann", 10, 20), stay("ann", 10, 20)], 10],
    ])("%s", (_case, stays, expected) => {
      expect(presence(stays)).toBe(expected);
    });

    it("is not known where neither coming nor leaving is", () => {
      expect(presence([stay("ann")])).toBeUndefined();
    });

    it("is not known where the end is not, but for what was reported", () => {
      expect(presence([stay("ann", 10)], [ended(undefined, 0)])).toBeUndefined();
      expect(presence([stay("ann", 10, 20), stay("ann", 30)], [ended(undefined, 0)])).toBe(10);
    });

    it("is not known where the start is not, and no coming", () => {
      expect(presence([stay("ann", undefined, 20)], [ended(100)])).toBeUndefined();
    });
  });
});
