import type { DerivedTrigger } from "../../events/call-event.ts";
import type { TriggerName } from "../../events/chat-event.ts";

/** The events that each summary needs. With fewer of them it works, with less content (docs/triggers.md). */
export const reportingTriggers: Readonly<Record<DerivedTrigger, readonly TriggerName[]>> = {
  call_missed: ["call_unanswered", "call_cancelled", "call_busy"],
  call_summary: [
    "call_initiated",
    "call_started",
    "call_participant_joined",
    "call_participant_left",
    "call_ended",
    "meeting_started",
    "meeting_participant_joined",
    "meeting_participant_left",
    "meeting_ended",
  ],
};
