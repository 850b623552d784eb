import type { JsonObject } from "../json.ts";
import type { Message } from "./messages.ts";

/** Says what the moderation of a message came to. @see docs/platform/moderation.md#what-events-say-of-a-decision */
export type Verdict = {
  outcome: "approved" | "disapproved";
  /** The rule that decided; absent when nothing matched. */
  rule?: { id: string; name: string };
  /** Becomes `data.moderation` of the event; left out there when empty. */
  entries: JsonObject[];
  /** Failures of a customer's service, as `askCustomModeration` gives them: one moderation_engine_failed for all. */
  failures: JsonObject[];
  contentType: "text" | "image" | "video" | "audio" | "file";
  /** True when the message is not even kept as blocked. */
  isDropped?: boolean;
};

/** Gives the message with its verdict in `data.moderation`. */
export function withModeration(message: Message, verdict: Verdict): Message {
  const { rule } = verdict;
  const moderation = { status: verdict.outcome, ...(rule === undefined ? {} : { rule }) };
  return { ...message, data: { ...message.data, moderation } };
}
