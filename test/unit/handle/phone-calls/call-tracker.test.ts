import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallSummary, DerivedEvent } from "../../../../lib/events/call-event.ts";
import {
  type CallCheck,
  createCallTable,
  createCallTracker,
} from "../../../../lib/handle/phone-calls/call-tracker.ts";
import { defaultTime } from "../../../../local/testing/events/body.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { eventOf } from "../../../helpers/events/event-of.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import { runs } from "../../../helpers/property-runs.ts";

const at = (seconds: number) => new Date((defaultTime + seconds) * 1000);

/** Ann calls Bela; Bela comes, leaves, comes back; both leave; every event as the platform sends it. */
function answeredCall(sessionId: string) {
  const ofAnn = { sessionId, uid: "ann", joinedAt: defaultTime + 5, leftAt: defaultTime + 65 };
  const ofBela = { sessionId, uid: "bela", joinedAt: defaultTime + 6, leftAt: defaultTime + 20 };
  const again = { ...ofBela, joinedAt: defaultTime + 30, leftAt: defaultTime + 66 };
  return {
    initiated: events.callInitiated({ sessionId, caller: "ann", callee: "bela", type: "video" }),
    started: events.callStarted({ sessionId, at: defaultTime + 5 }),
    annJoined: events.callParticipantJoined(ofAnn),
    belaJoined: events.callParticipantJoined(ofBela),
    belaLeft: events.callParticipantLeft(ofBela),
    belaBack: events.callParticipantJoined(again),
    annLeft: events.callParticipantLeft(ofAnn),
    belaGone: events.callParticipantLeft(again),
    ended: events.callEnded({
      sessionId,
      createdAt: defaultTime + 5,
      destroyedAt: defaultTime + 66,
      occupants: [ofAnn, ofBela],
    }),
  };
}

const expectedSummary = {
  sessionKind: "call",
  type: "video",
  caller: "ann",
  callee: "bela",
  startedAt: at(5),
  endedAt: at(66),
  durationMs: 61_000,
  isEndReported: true,
  participants: [
    { uid: "ann", name: "Ann", joinedAt: at(5), leftAt: at(65), presentMs: 60_000 },
    { uid: "bela", name: "Bela", joinedAt: at(6), leftAt: at(66), presentMs: 50_000 },
  ],
};

describe("createCallTracker", () => {
  const table = createCallTable(createMemoryTable("call", "fact"), () => defaultTime * 1000);
  let sessions = 0;
  let deliveries = 0;

  const newSession = () => `session-${++sessions} é|\\`;

  /** Passes the events to the tracker in this order, then the checks that they requested. */
  async function track(bodies: readonly object[], wanted = ["call_missed", "call_summary"]) {
    const receivedFrom = deliveries;
    deliveries += bodies.length;
    const checks: CallCheck[] = [];
    const writes: string[] = [];
    const tracker = createCallTracker({
      table: {
        ...table,
        put: async (...args) => {
          writes.push("put");
          await table.put(...args);
        },
      },
      scheduleCheck: async (check) => void checks.push(check),
      isWanted: (name) => wanted.includes(name),
    });
    const derived: DerivedEvent[] = [];
    for (const [index, body] of bodies.entries()) {
      const delivery = { appId: "app-1", receivedAt: receivedFrom + index };
      derived.push(...(await tracker.note(eventOf(body), delivery)));
    }
    for (const check of checks) derived.push(...(await tracker.summarise(check)));
    return { derived, checks, writes, tracker };
  }

  it("summarizes a call once and identically, for any order and number of its events", async () => {
    const names = fc.constantFrom(...Object.keys(answeredCall("")));
    const all = fc.shuffledSubarray(Object.keys(answeredCall("")), { minLength: 9 });
    await fc.assert(
      fc.asyncProperty(all, fc.array(names, { maxLength: 4 }), async (order, repeated) => {
        const sessionId = newSession();
        const call: Record<string, object> = answeredCall(sessionId);

        const { derived } = await track([...order, ...repeated].map((name) => call[name] ?? {}));

        expect(derived).toHaveLength(1);
        expect(derived[0]).toMatchObject({ trigger: "call_summary", sessionId, ...expectedSummary });
      }),
      runs(10),
    );
  });

  it.each([
    ["call_initiated", ["initiated"], { caller: undefined, durationMs: 61_000 }],
    [
      "all joins and leaves",
      ["annJoined", "belaJoined", "belaLeft", "belaBack", "annLeft", "belaGone"],
      {
        durationMs: 61_000,
        participants: [{ uid: "ann", presentMs: 60_000 }, { uid: "bela" }],
      },
    ],
    ["call_ended", ["ended"], { ...expectedSummary, isEndReported: false }],
  ])("summarizes a call without %s", async (_case, missing, expected) => {
    const call = Object.entries(answeredCall(newSession())).filter(([name]) => !missing.includes(name));

    const { derived } = await track(call.map(([, body]) => body));

    expect(derived).toHaveLength(1);
    expect(derived[0]).toMatchObject(expected);
  });

  it("summarizes a meeting whose participants the documented form does not name", async () => {
    const sessionId = newSession();
    const occupant = { sessionId, uid: null, name: "Ann", joinedAt: defaultTime, leftAt: defaultTime + 9 };

    const { derived } = await track([
      events.meetingEnded({ sessionId, destroyedAt: defaultTime + 9, occupants: [occupant] }),
      events.meetingParticipantJoined(occupant),
      events.meetingStarted({ sessionId }),
    ]);

    const participants = [{ uid: undefined, name: "Ann", presentMs: 9_000 }];
    expect(derived).toMatchObject([{ sessionKind: "meeting", durationMs: 9_000, participants }]);
  });

  it("summarizes every meeting of a reused ID with its own participants", async () => {
    const days = [0, 86_400].map((shift) => {
      const from = defaultTime + shift;
      return (sessionId: string, uid: string) => {
        const occupant = { sessionId, uid, joinedAt: from + 1, leftAt: from + 60 };
        const ended = { sessionId, createdAt: from, destroyedAt: from + 60, occupants: [occupant] };
        return {
          started: events.meetingStarted({ sessionId, at: from }),
          joined: events.meetingParticipantJoined(occupant),
          left: events.meetingParticipantLeft(occupant),
          ended: events.meetingEnded(ended),
        };
      };
    });
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (indexes, isEndLost) => {
        const sessionId = newSession();
        const meetings = [days[0]?.(sessionId, "ann"), days[1]?.(sessionId, "bela")];
        const bodies = meetings.flatMap((meeting) => Object.values(meeting ?? {}));
        const ends = isEndLost ? [] : [3, 7, 3];
        const kept = indexes.filter((index) => !isEndLost || (index !== 3 && index !== 7));

        const { derived } = await track([...kept, ...ends].map((index) => bodies[index] ?? {}));

        const byTime = (derived as CallSummary[]).toSorted(
          (left, right) => Number(left.startedAt) - Number(right.startedAt),
        );
        expect(byTime).toMatchObject([
          { startedAt: at(0), durationMs: 60_000, participants: [{ uid: "ann", presentMs: 59_000 }] },
          { startedAt: at(86_400), durationMs: 60_000, participants: [{ uid: "bela" }] },
        ]);
        expect(byTime.map(({ participants }) => participants.length)).toEqual([1, 1]);
        expect(new Set(byTime.map(({ head }) => head.key)).size).toBe(2);
      }),
      runs(5),
    );
  });

  it("keeps a meeting's summary if an earlier start becomes known after it", async () => {
    const sessionId = newSession();
    const stay = { sessionId, uid: "ann", joinedAt: defaultTime + 1, leftAt: defaultTime + 200 };
    const ended = { sessionId, createdAt: defaultTime, destroyedAt: defaultTime + 200, occupants: [stay] };
    const before = await track([events.meetingParticipantLeft(stay)]);

    const after = await track([events.meetingEnded(ended)]);

    expect(before.derived).toMatchObject([{ sessionId, startedAt: at(1) }]);
    expect(after.derived).toEqual([]);
    expect(await Promise.all(before.checks.map((check) => after.tracker.summarise(check)))).toMatchObject([
      [{ startedAt: at(0), head: { key: (before.derived[0] as CallSummary).head.key } }],
    ]);
  });

  it("repeats the summary for the first check only", async () => {
    const { ended, belaGone } = answeredCall(newSession());
    const { checks, tracker } = await track([ended, belaGone]);
    const [first, second] = checks;
    if (first === undefined || second === undefined) throw new Error("Two checks were expected.");

    expect(await tracker.summarise(first)).toHaveLength(1);
    expect(await tracker.summarise(second)).toHaveLength(0);
  });

  it.each([
    ["a meeting", events.meetingParticipantJoined, events.meetingParticipantLeft],
    ["a call", events.callParticipantJoined, events.callParticipantLeft],
  ])("repeats the first check's summary of %s that a user joined meanwhile", async (_kind, join, leave) => {
    const sessionId = newSession();
    const ofAnn = { sessionId, uid: "ann", joinedAt: defaultTime, leftAt: defaultTime + 60 };
    const ofBela = { sessionId, uid: "bela", joinedAt: defaultTime + 200, leftAt: defaultTime + 1800 };
    const { checks, derived } = await track([join(ofAnn), leave(ofAnn)]);
    const [check] = checks;
    if (check === undefined) throw new Error("A check was expected.");

    const { tracker } = await track([join(ofBela), join({ ...ofAnn, joinedAt: defaultTime + 210 })]);

    expect(await tracker.summarise(check)).toEqual(derived);
    expect(await tracker.summarise({ ...check, key: "another" })).toEqual([]);
    expect((await track([leave(ofBela)])).derived).toEqual([]);
  });

  it.each([
    ["unanswered", events.callUnanswered],
    ["cancelled", events.callCancelled],
    ["busy", events.callBusy],
  ] as const)("reports a missed call once, with caller and callee: %s", async (reason, build) => {
    for (const order of ["imm", "mim", "mmi"]) {
      const sessionId = newSession();
      const initiated = events.callInitiated({ sessionId, caller: "ann", callee: "bela" });
      const missed = build({ sessionId, caller: "ann", callee: "bela", id: "2002", at: defaultTime + 30 });

      const { derived } = await track([...order].map((name) => (name === "i" ? initiated : missed)));

      expect(derived).toHaveLength(1);
      expect(derived[0]).toMatchObject({
        trigger: "call_missed",
        reason,
        caller: "ann",
        callee: "bela",
        sessionId,
        missedAt: at(30),
      });
    }
  });

  it("reports a missed call again if the same delivery is repeated, as a handler may have failed", async () => {
    const { tracker } = await track([]);
    const event = eventOf(events.callUnanswered({ sessionId: newSession() }));
    const delivery = { appId: "app-1", receivedAt: 7 };

    expect(await tracker.note(event, delivery)).toHaveLength(1);
    expect(await tracker.note(event, delivery)).toHaveLength(1);
    expect(await tracker.note(event, { ...delivery, receivedAt: 8 })).toHaveLength(0);
  });

  it("reports a call once if its ringing ended in two ways", async () => {
    const facts = { sessionId: newSession(), caller: "ann", callee: "bela" };

    const { derived } = await track([
      events.callUnanswered({ ...facts, id: "1" }),
      events.callCancelled({ ...facts, id: "2" }),
    ]);

    expect(derived.filter(({ trigger }) => trigger === "call_missed")).toHaveLength(1);
  });

  it("reports a missed call without a session, but no declined call", async () => {
    const unnamed = events.callUnanswered({ id: newSession(), form: "documented" });

    expect((await track([unnamed])).derived).toMatchObject([{ sessionId: undefined, caller: "ann" }]);
    expect((await track([events.callRejected({ sessionId: newSession() })])).derived).toEqual([]);
  });

  it("stores nothing that no trigger handles", async () => {
    const { derived, checks, writes } = await track(Object.values(answeredCall(newSession())), []);

    expect({ derived, checks, writes }).toEqual({ derived: [], checks: [], writes: [] });
  });
});
