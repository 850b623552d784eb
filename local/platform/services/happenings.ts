import type { Message, Verdict } from "../store/messages.ts";
import type { Reaction } from "../store/reactions.ts";
import type { User } from "../store/users.ts";

/** Names what can happen on the platform that other rooms listen to, with what is told of it. */
export type Happenings = {
  /** An app was made; it holds nothing but its keys yet. */
  appCreated: object;
  /** A message was stored, or dropped, with what its moderation came to; `undefined` when no rule looked at it. */
  messageStored: { message: Message; verdict: Verdict | undefined };
  /** A group's membership changed; the action message tells how. */
  membershipChanged: { action: Message };
  /** A user reacted to a message, and had not reacted so before. */
  reactionAdded: { message: Message; reaction: Reaction; by: User };
  /** One party of a phone call did something. */
  phoneCallSignalled: PhoneCallSignal;
};

/**
 * What one party did in a phone call, and the uids of those who are to know.
 * @see docs/platform/other-calls.md#notification-providers
 */
export type PhoneCallSignal = {
  message: Message;
  recipients: readonly string[];
  callAction: "initiated" | "cancelled" | "unanswered" | "ongoing" | "rejected" | "ended" | "busy";
  sessionId: string;
  callType: "audio" | "video";
};
