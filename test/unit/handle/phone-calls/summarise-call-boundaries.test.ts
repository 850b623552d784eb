import { describe, expect, it } from "vitest";
import type { CallFact } from "../../../../lib/handle/phone-calls/call-fact.ts";
import { summariseCall } from "../../../../lib/handle/phone-calls/summarise-call.ts";

const session = { appId: "app-1", region: "us", sessionId: "s-1", occurrenceMs: undefined };
const stay = (moments: { joinedAt?: number; leftAt?: number }): CallFact => ({
  kind: "stay",
  sessionKind: "call",
  uid: "ann",
  ...moments,
});

describe("summariseCall", () => {
  it("takes a session for over when the last one leaves at the moment of joining, and not for one who came back", () => {
    const over = summariseCall([stay({ joinedAt: 5_000 }), stay({ leftAt: 5_000 })], session);
    const goingOn = summariseCall([stay({ leftAt: 5_000 }), stay({ joinedAt: 5_001 })], session);

    expect(over).toMatchObject({ durationMs: 0, participants: [{ uid: "ann", presentMs: 0 }] });
    expect(goingOn).toBeUndefined();
  });

  it("counts who leaves and joins in one moment as there until then, and not from then on", () => {
    const end: CallFact = { kind: "ended", sessionKind: "call", startedAt: 0, endedAt: 9_000, stays: [] };

    const summary = summariseCall([end, stay({ joinedAt: 5_000, leftAt: 5_000 })], session);

    expect(summary).toMatchObject({ participants: [{ presentMs: 0 }] });
  });
});
