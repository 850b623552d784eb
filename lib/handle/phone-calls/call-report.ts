import * as z from "zod/mini";
import { type Table, when } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { ChatEvent } from "../../events/chat-event.ts";
import { joinFields } from "../../events/identity.ts";

const moment = z.optional(z.number());
const text = z.optional(z.string());
const stay = { uid: text, name: text, joinedAt: moment, leftAt: moment };
const sessionKind = z.enum(["call", "meeting"]);

/** What one event reports about a session. Reports may arrive in any order and twice. */
const callReportSchema = z.union([
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

interface CallId {
  readonly appId: string;
  readonly sessionId: string;
}

type Claim = "call_missed" | "call_summary" | `call_summary ${number}`;

/** Stores one item per report: order and repetition do not matter. */
export type CallTable = ReturnType<typeof createCallTable>;

/** Events are handled for up to 30 days, and a dead-lettered reminder may be replayed later. */
const rememberedMs = 35 * 24 * 60 * 60_000;
const factPrefix = "fact ";

export function createCallTable(table: Table, now: () => number) {
  const callOf = ({ appId, sessionId }: CallId) => sha256Hex(joinFields([appId, sessionId]));
  const expiration = () => Math.ceil((now() + rememberedMs) / 1000);

  return {
    put: async (call: CallId, occurrenceKey: string, said: CallReport) => {
      const fact = factPrefix + sha256Hex(occurrenceKey);
      await table.put({ call: callOf(call), fact, app: call.appId, expiration: expiration(), said });
    },

    list: async (call: CallId) => {
      const items = await table.query({ call: callOf(call) }, { prefix: factPrefix });
      return items.map(({ said }) => callReportSchema.parse(said));
    },

    /**
     * Grants a claim to its first holder, also repeatedly. @param holder equal in every attempt at one
     * delivery
     */
    claim: async (call: CallId, what: Claim, holder: string) => {
      const key = { call: callOf(call), fact: `claim ${what}` };
      const claim = { ...key, app: call.appId, expiration: expiration(), holder };
      const isMine = when("attribute_not_exists(#fact) OR #holder = :holder", { holder });
      return (await table.put(claim, isMine)).ok;
    },
  };
}
