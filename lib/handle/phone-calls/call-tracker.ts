import type { CallMissed, CallSummary, DerivedTrigger } from "../../events/call-event.ts";
import type { ChatEvent } from "../../events/chat-event.ts";
import { joinFields } from "../../events/identity.ts";
import type { CallCheck, ScheduleCheck } from "./call-check.ts";
import { callReportOf } from "./call-report.ts";
import type { CallTable } from "./call-table.ts";
import { occurrenceAt } from "./occurrences.ts";
import { summariseCall } from "./summarise-call.ts";

export type CallTracker = ReturnType<typeof createCallTracker>;

export interface CallTrackerOptions {
  readonly table: CallTable;
  readonly scheduleCheck: ScheduleCheck;
  readonly isWanted: (trigger: DerivedTrigger) => boolean;
}

export function createCallTracker({ table, scheduleCheck, isWanted }: CallTrackerOptions) {
  return {
    async note(
      event: ChatEvent,
      { appId, receivedAt }: { appId: string; receivedAt: number },
    ): Promise<CallMissed[]> {
      const { key, region } = event.head;
      const said = isWanted("call_summary") ? callReportOf(event) : undefined;
      if (said !== undefined) {
        const { sessionId, report } = said;
        await table.put({ appId, sessionId }, key, report);
        // The platform's end event may be lost.
        if (report.kind === "ended" || (report.kind === "stay" && report.leftAt !== undefined)) {
          const at = report.kind === "ended" ? report.endedAt : report.leftAt;
          await scheduleCheck({ appId, region, sessionId, key, receivedAt, at });
        }
      }

      const missed = isWanted("call_missed") ? missedCallOf(event, appId) : undefined;
      if (missed === undefined) return [];
      const sessionId = missed.sessionId ?? `call ${missed.callId}`;
      return (await table.claim({ appId, sessionId }, "call_missed", holderOf({ key, receivedAt })))
        ? [missed]
        : [];
    },

    async summarise({ appId, region, sessionId, key, receivedAt, at }: CallCheck): Promise<CallSummary[]> {
      const { reports, fromMs } = occurrenceAt(await table.list({ appId, sessionId }), at);
      const summary = summariseCall(reports, { appId, region, sessionId, occurrenceMs: fromMs });
      if (summary === undefined) return [];
      const claim = fromMs === undefined ? "call_summary" : (`call_summary ${fromMs}` as const);
      return (await table.claim({ appId, sessionId }, claim, holderOf({ key, receivedAt }))) ? [summary] : [];
    },
  };
}

/** Returns the same holder in every attempt at one delivery. */
function holderOf({ key, receivedAt }: { key: string; receivedAt: number }): string {
  return joinFields([key, String(receivedAt)]);
}

const reasons = { call_unanswered: "unanswered", call_cancelled: "cancelled", call_busy: "busy" } as const;

function missedCallOf(event: ChatEvent, appId: string): CallMissed | undefined {
  if (event.kind === "unknown") return undefined;
  switch (event.trigger) {
    case "call_unanswered":
    case "call_cancelled":
    case "call_busy": {
      const { call, trigger } = event;
      const { head } = event;
      const { id, sessionId, type, caller, callee, calleeType } = call;
      const key = joinFields([appId, "call_missed", sessionId ?? "", sessionId === undefined ? id : ""]);
      return {
        kind: "derived",
        trigger: "call_missed",
        // A call is missed once.
        head: { ...head, trigger: "call_missed", key, canRecur: false },
        sessionId,
        callId: id,
        reason: reasons[trigger],
        type,
        caller,
        callee,
        calleeType,
        missedAt: head.occurredAt,
      };
    }
    default:
      return undefined;
  }
}
