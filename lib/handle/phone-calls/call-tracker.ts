import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { type Table, when } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { CallMissed, CallSummary, DerivedTrigger } from "../../events/call-event.ts";
import type { ChatEvent } from "../../events/chat-event.ts";
import { joinFields } from "../../events/identity.ts";
import { toMessageBody } from "../../queue/queued-event.ts";
import { sendMessage } from "../../queue/send-message.ts";
import { type CallReport, callReportOf, callReportSchema } from "./call-report.ts";
import { type Occurrence, occurrenceAt, summariseCall } from "./summarise-call.ts";

const callCheckSchema = z.object({
  v: z.literal(1),
  check: z.literal("call_summary"),
  appId: z.string(),
  region: z.optional(z.string()),
  sessionId: z.string(),
  key: z.string(),
  receivedAt: z.number(),
  at: z.optional(z.number()),
});

export type CallCheck = Omit<z.infer<typeof callCheckSchema>, "v" | "check">;

export function readCallCheck(message: unknown): CallCheck | undefined {
  const result = callCheckSchema.safeParse(message);
  return result.success ? result.data : undefined;
}

/** Schedules a check. Repeatable: the queue drops duplicates for five minutes. @throws AwsCallError */
type ScheduleCheck = (check: CallCheck) => Promise<void>;

export function createScheduleCheck(callAws: AwsCaller, callsQueueUrl: string): ScheduleCheck {
  return async (check) =>
    sendMessage(callAws, callsQueueUrl, {
      MessageBody: toMessageBody({ v: 1, check: "call_summary", ...check }),
      MessageGroupId: callOf(check),
      MessageDeduplicationId: sha256Hex(holderOf(check)),
    });
}

interface CallId {
  readonly appId: string;
  readonly sessionId: string;
}

type Claim = "call_missed" | "call_summary" | `call_summary ${number}`;

function callOf({ appId, sessionId }: CallId): string {
  return sha256Hex(joinFields([appId, sessionId]));
}

/** Stores one item per report: order and repetition do not matter. */
type CallTable = ReturnType<typeof createCallTable>;

/** Events are handled for up to 30 days, and a dead-lettered reminder may be replayed later. */
const rememberedMs = 35 * 24 * 60 * 60_000;
const factPrefix = "fact ";
const meetingPrefix = "claim call_summary ";

export function createCallTable(table: Table, now: () => number) {
  const expiration = () => Math.ceil((now() + rememberedMs) / 1000);
  const claimKey = (call: CallId, what: Claim) => ({ call: callOf(call), fact: `claim ${what}` });

  return {
    put: async (call: CallId, occurrenceKey: string, said: CallReport) => {
      const fact = factPrefix + sha256Hex(occurrenceKey);
      await table.put({ call: callOf(call), fact, app: call.appId, expiration: expiration(), said });
    },

    list: async (call: CallId) => {
      const items = await table.query({ call: callOf(call) }, { prefix: factPrefix });
      return items.map(({ said }) => callReportSchema.parse(said));
    },

    /** The session's meetings that have a summary, by the times that identify them. */
    listMeetings: async (call: CallId) => {
      const items = await table.query({ call: callOf(call) }, { prefix: meetingPrefix });
      return items.map(({ fact }) => Number(String(fact).slice(meetingPrefix.length)));
    },

    /**
     * Succeeds for the first holder, also repeatedly. @param holder equal in every attempt at one delivery
     */
    claim: async (call: CallId, what: Claim, holder: string) => {
      const claim = { ...claimKey(call, what), app: call.appId, expiration: expiration(), holder };
      const isMine = when("attribute_not_exists(#fact) OR #holder = :holder", { holder });
      return (await table.put(claim, isMine)).ok;
    },

    holds: async (call: CallId, what: Claim, holder: string) =>
      (await table.get(claimKey(call, what)))?.holder === holder,
  };
}

export type CallTracker = ReturnType<typeof createCallTracker>;

interface CallTrackerOptions {
  readonly table: CallTable;
  readonly scheduleCheck: ScheduleCheck;
  readonly isWanted: (trigger: DerivedTrigger) => boolean;
}

export function createCallTracker({ table, scheduleCheck, isWanted }: CallTrackerOptions) {
  /** An earlier start may become known after the summary: the meeting keeps the time that identifies it. */
  async function meetingOf(call: CallId, { fromMs, untilMs }: Omit<Occurrence, "reports">) {
    if (fromMs === undefined || untilMs === undefined) return undefined;
    const known = await table.listMeetings(call);
    return known.find((atMs) => fromMs <= atMs && atMs <= untilMs) ?? fromMs;
  }

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
      const call = { appId, sessionId };
      const holder = holderOf({ key, receivedAt });
      const { reports, ...span } = occurrenceAt(await table.list(call), at);
      const occurrenceMs = await meetingOf(call, span);
      const claim = occurrenceMs === undefined ? "call_summary" : (`call_summary ${occurrenceMs}` as const);
      const session = { ...call, region, occurrenceMs };
      const summary =
        summariseCall(reports, session) ??
        // A participant joined after an earlier attempt at this check.
        ((await table.holds(call, claim, holder)) ? summariseCall(reports, session, at) : undefined);
      if (summary === undefined) return [];
      return (await table.claim(call, claim, holder)) ? [summary] : [];
    },
  };
}

/** Equal in every attempt at one delivery. */
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
      const { call, trigger, head } = event;
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
