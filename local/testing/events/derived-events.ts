import type { CallMissed, CallSummary } from "../../../lib/events/call-event.ts";
import { defaultTime } from "./body.ts";
import { checkBuilders } from "./check-builders.ts";

const startedAt = new Date(defaultTime * 1000);
const endedAt = new Date((defaultTime + 60) * 1000);

/** Builds the events that this system derives. They are never delivered: pass them to `runTrigger`. */
export const derivedEvents = /* @__PURE__ */ checkBuilders({
  /** Builds the derived event `call_missed`. */
  callMissed: (facts: Partial<Omit<CallMissed, "kind" | "trigger" | "head">> = {}): CallMissed => ({
    kind: "derived",
    trigger: "call_missed",
    head: headOf("call_missed", startedAt),
    sessionId: "session-1",
    callId: "2001",
    reason: "unanswered",
    type: "audio",
    caller: "ann",
    callee: "bela",
    calleeType: "user",
    missedAt: startedAt,
    ...facts,
  }),

  /** Builds the derived event `call_summary`. */
  callSummary: (facts: Partial<Omit<CallSummary, "kind" | "trigger" | "head">> = {}): CallSummary => ({
    kind: "derived",
    trigger: "call_summary",
    head: headOf("call_summary", endedAt),
    sessionId: "session-1",
    sessionKind: "call",
    type: "audio",
    caller: "ann",
    callee: "bela",
    participants: ["ann", "bela"].map((uid) => ({
      uid,
      name: undefined,
      joinedAt: startedAt,
      leftAt: endedAt,
      presentMs: 60_000,
    })),
    startedAt,
    endedAt,
    durationMs: 60_000,
    isEndReported: true,
    ...facts,
  }),
});

function headOf(trigger: string, occurredAt: Date) {
  return {
    key: `app-1|${trigger}|session-1`,
    lane: "app-1|session-1",
    canRecur: false,
    family: "webhook",
    engine: "current",
    trigger,
    appId: "app-1",
    region: "eu",
    webhook: undefined,
    occurredAt,
    occurredAtField: undefined,
    actor: undefined,
    conversation: { id: "ann_user_bela", type: "user" },
  } as const;
}
