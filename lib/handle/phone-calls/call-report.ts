import * as z from "zod/mini";
import type { ChatEvent } from "../../events/chat-event.ts";

const moment = z.optional(z.number());
const text = z.optional(z.string());
const stay = { uid: text, name: text, joinedAt: moment, leftAt: moment };
const sessionKind = z.enum(["call", "meeting"]);

/** What one event reports about a session. Reports may arrive in any order and twice. */
export const callReportSchema = z.union([
  z.object({
    kind: z.literal("rang"),
    at: moment,
    type: text,
    caller: text,
    callee: text,
    conversation: z.optional(z.object({ id: z.string(), type: z.enum(["user", "group"]) })),
  }),
  z.object({ kind: z.literal("started"), sessionKind, at: moment }),
  z.object({ kind: z.literal("stay"), sessionKind, ...stay }),
  z.object({
    kind: z.literal("ended"),
    sessionKind,
    startedAt: moment,
    endedAt: moment,
    stays: z.array(z.object(stay)),
  }),
]);

export type CallReport = z.infer<typeof callReportSchema>;
export type Stay = Pick<Extract<CallReport, { kind: "stay" }>, "uid" | "name" | "joinedAt" | "leftAt">;

export function callReportOf(event: ChatEvent): { sessionId: string; report: CallReport } | undefined {
  if (event.kind === "unknown") return undefined;
  switch (event.trigger) {
    case "call_initiated":
    case "call_busy":
    case "call_cancelled":
    case "call_rejected":
    case "call_unanswered": {
      const { sessionId, type, caller, callee, initiatedAt } = event.call;
      if (sessionId === undefined) return undefined;
      const at = (initiatedAt ?? event.head.occurredAt)?.getTime();
      const { conversation } = event.head;
      return { sessionId, report: { kind: "rang", at, type, caller, callee, conversation } };
    }
    case "call_started":
    case "meeting_started": {
      const { sessionId, startedAt } = event;
      const report = {
        kind: "started",
        sessionKind: kindOf(event.trigger),
        at: startedAt?.getTime(),
      } as const;
      return { sessionId, report };
    }
    case "call_participant_joined":
    case "meeting_participant_joined": {
      const { leftAt: _, ...arrival } = toStay(event.occupant);
      const report = { kind: "stay", sessionKind: kindOf(event.trigger), ...arrival } as const;
      return { sessionId: event.sessionId, report };
    }
    case "call_participant_left":
    case "meeting_participant_left": {
      const { sessionId, occupant } = event;
      return { sessionId, report: { kind: "stay", sessionKind: kindOf(event.trigger), ...toStay(occupant) } };
    }
    case "call_ended":
    case "meeting_ended": {
      const { sessionId, startedAt, endedAt, occupants } = event;
      const report = {
        kind: "ended",
        sessionKind: kindOf(event.trigger),
        startedAt: startedAt?.getTime(),
        endedAt: endedAt?.getTime(),
        stays: occupants.map(toStay),
      } as const;
      return { sessionId, report };
    }
    default:
      return undefined;
  }
}

function kindOf(trigger: string): "call" | "meeting" {
  return trigger.startsWith("meeting_") ? "meeting" : "call";
}

function toStay(occupant: {
  readonly uid: string | undefined;
  readonly name: string | undefined;
  readonly joinedAt: Date | undefined;
  readonly leftAt: Date | undefined;
}) {
  const { uid, name, joinedAt, leftAt } = occupant;
  return { uid, name, joinedAt: joinedAt?.getTime(), leftAt: leftAt?.getTime() };
}
