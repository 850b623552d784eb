import type { AppEvent } from "../app-event.ts";
import { isOfGroup } from "../conversation.ts";
import type { HeardMessage } from "../marks/loop-guard.ts";

export interface Seen {
  /** uid of the author, caller or reacting user. */
  readonly sender?: string | undefined;
  readonly receiver?: string | undefined;
  readonly receiverType?: string | undefined;
  /** guid */
  readonly group?: string | undefined;
  readonly conversation?: string | undefined;
  readonly messageId?: string | undefined;
  readonly parentId?: string | undefined;
  readonly category?: string | undefined;
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly moderation?: string | undefined;
  readonly reaction?: string | undefined;
  /** The sender's. */
  readonly role?: string | undefined;
  /** Its marks show whether this system sent it. */
  readonly heard?: HeardMessage | undefined;
}

/**
 * For an edited message: its new form and original author. For a moderation decision or failure: the message.
 * For a reaction: the reacting user, and the message.
 */
export function seenIn(event: AppEvent): Seen {
  if ("message" in event) {
    const { message, head } = event;
    const { id, tags, data } = message;
    const role = data?.entities?.sender?.entity?.role;
    const seen = { ...ofMessage(message, head.conversation?.id), messageId: id, tags, role, heard: message };
    return { ...seen, parentId: message.parentId, text: data?.text, moderation: data?.moderation?.status };
  }
  if ("resource" in event) {
    const { resource, head } = event;
    return { ...ofMessage(resource, head.conversation?.id), messageId: resource.id, heard: resource };
  }
  if ("call" in event) return ofCall(event.call);
  if ("callId" in event) return ofCall(event);
  if ("reaction" in event) {
    const { messageId, uid, reactedBy, reaction } = event.reaction;
    return { sender: uid ?? reactedBy?.uid, role: reactedBy?.role, messageId, reaction };
  }
  return "group" in event ? { group: event.group?.guid } : {};
}

type MessageFacts = Pick<Seen, "sender" | "receiver" | "receiverType" | "category" | "type">;

function ofMessage(
  { sender, receiver, receiverType, category, type }: MessageFacts,
  conversation: string | undefined,
): Seen {
  const group = receiverType === undefined ? guidIn(conversation) : guidOf(receiverType, receiver);
  return { sender, receiver, receiverType, group, conversation, category, type };
}

/** A changed message may name its group only in its conversation id. */
function guidIn(conversation = "") {
  return isOfGroup(conversation) ? conversation.slice("group_".length) : undefined;
}

function ofCall(call: {
  readonly caller: string | undefined;
  readonly callee: string | undefined;
  readonly calleeType: "user" | "group";
  readonly type: string | undefined;
}): Seen {
  const { caller: sender, callee: receiver, calleeType: receiverType, type } = call;
  return { sender, receiver, receiverType, group: guidOf(receiverType, receiver), type };
}

function guidOf(receiverType: string, receiver: string | undefined) {
  return receiverType === "group" ? receiver : undefined;
}
