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
  if ("call" in event) {
    const { sessionId, type, caller, callee, initiatedAt } = event.call;
    if (sessionId === undefined) return undefined;
    const at = (initiatedAt ?? event.head.occurredAt)?.getTime();
    const { conversation } = event.head;
    return { sessionId, report: { kind: "rang", at, type, caller, callee, conversation } };
  }
  const { trigger } = event;
  const sessionKind = trigger.startsWith("meeting_") ? "meeting" : "call";
  if (trigger === "call_started" || trigger === "meeting_started") {
    const { sessionId, startedAt } = event;
    return { sessionId, report: { kind: "started", sessionKind, at: startedAt?.getTime() } };
  }
  if ("occupant" in event) {
    const { leftAt, ...arrival } = toStay(event.occupant);
    const departure = trigger.endsWith("_left") && { leftAt };
    return { sessionId: event.sessionId, report: { kind: "stay", sessionKind, ...arrival, ...departure } };
  }
  if (!("occupants" in event)) return undefined;
  const { sessionId, startedAt, endedAt, occupants } = event;
  const times = { startedAt: startedAt?.getTime(), endedAt: endedAt?.getTime() };
  return { sessionId, report: { kind: "ended", sessionKind, ...times, stays: occupants.map(toStay) } };
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
