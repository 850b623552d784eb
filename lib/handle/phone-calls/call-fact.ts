import * as z from "zod/mini";
import type { ChatEvent } from "../../events/chat-event.ts";

const moment = z.optional(z.number());
const text = z.optional(z.string());
const stay = { uid: text, name: text, joinedAt: moment, leftAt: moment };
const sessionKind = z.enum(["call", "meeting"]);

/** One event's report about a session. May arrive in any order and twice. */
export const callFactSchema = z.union([
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

export type CallFact = z.infer<typeof callFactSchema>;
export type Stay = Pick<Extract<CallFact, { kind: "stay" }>, "uid" | "name" | "joinedAt" | "leftAt">;

export function callFactOf(event: ChatEvent): { sessionId: string; fact: CallFact } | undefined {
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
      return { sessionId, fact: { kind: "rang", at, type, caller, callee, conversation } };
    }
    case "call_started":
    case "meeting_started": {
      const { sessionId, startedAt } = event;
      const fact = { kind: "started", sessionKind: kindOf(event.trigger), at: startedAt?.getTime() } as const;
      return { sessionId, fact };
    }
    case "call_participant_joined":
    case "meeting_participant_joined": {
      const { leftAt: _, ...arrival } = toStay(event.occupant);
      const fact = { kind: "stay", sessionKind: kindOf(event.trigger), ...arrival } as const;
      return { sessionId: event.sessionId, fact };
    }
    case "call_participant_left":
    case "meeting_participant_left": {
      const { sessionId, occupant } = event;
      return { sessionId, fact: { kind: "stay", sessionKind: kindOf(event.trigger), ...toStay(occupant) } };
    }
    case "call_ended":
    case "meeting_ended": {
      const { sessionId, startedAt, endedAt, occupants } = event;
      const fact = {
        kind: "ended",
        sessionKind: kindOf(event.trigger),
        startedAt: startedAt?.getTime(),
        endedAt: endedAt?.getTime(),
        stays: occupants.map(toStay),
      } as const;
      return { sessionId, fact };
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
