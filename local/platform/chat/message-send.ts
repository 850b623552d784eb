import { groupNotFound, toItemFailure } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalObject, optionalTags, optionalText, optionalTexts } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { findGroup, findMember, isBanned } from "../store/groups.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { systemUser, type User } from "../store/users.ts";
import { type MessageDraft, type Recipient, storeMessage } from "./message-store.ts";
import { readMessageContent } from "./message-validate.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Answers POST /messages. @see platform facts: chat-api §8 "Send" */
export async function sendMessage(call: AppCall): Promise<Reply> {
  const sender = call.actor ?? systemUser;
  const draft = { sender, ...readDraft(call) };
  const many = optionalObject(call.body, "multipleReceivers");
  if (many !== undefined) return reply(await sendToMany(call, draft, many));
  return reply(await storeMessage(call, call.app, { ...draft, recipient: readRecipient(call, sender) }));
}

/** Reads and checks all of a message but its recipient. */
export function readDraft(call: AppCall): Omit<MessageDraft, "sender" | "recipient"> {
  return {
    ...readMessageContent(call.body),
    muid: optionalText(call.body, "muid"),
    tags: optionalTags(call.body),
    quotedMessage: readQuoted(call),
  };
}

/** Finds who the body's `receiver` and `receiverType` name and checks that the sender may write to them. */
export function readRecipient(call: AppCall, sender: User): Recipient {
  const { receiver, receiverType } = call.body;
  if (receiver === undefined || receiver === null || receiver === "") {
    throw new PlatformError("ERR_EMPTY_RECEIVER", "The receiver of the message is empty.");
  }
  if (receiverType !== "user" && receiverType !== "group") {
    throw new PlatformError("ERR_INVALID_RECEIVER_TYPE", "The receiverType must be user or group.");
  }
  return requireRecipient(call, sender, { type: receiverType, id: String(receiver) });
}

/** Finds a recipient. @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_GROUP_NOT_JOINED (assumed) */
export function requireRecipient(
  call: AppCall,
  sender: User,
  target: { type: "user" | "group"; id: string },
): Recipient {
  if (target.type === "user") return { type: "user", user: requireUserByUid(call, target.id) };
  const guid = target.id.toLowerCase();
  const group = findGroup(call.db, call.app.appId, guid);
  if (group === undefined) throw groupNotFound(target.id);
  if (sender.uid !== systemUser.uid && findMember(call.db, call.app.appId, guid, sender.uid) === undefined) {
    if (isBanned(call.db, call.app.appId, guid, sender.uid)) {
      throw new PlatformError(
        "ERR_BANNED_GROUPMEMBER",
        `The user ${sender.uid} is banned from the group ${guid}.`,
      );
    }
    throw new PlatformError(
      "ERR_GROUP_NOT_JOINED",
      `The user ${sender.uid} has not joined the group ${guid}.`,
    );
  }
  return { type: "group", group };
}

// One message to each; the shape of the answer is not documented. Assumed: per-item results as in other bulk calls.
async function sendToMany(
  call: AppCall,
  draft: Omit<MessageDraft, "recipient">,
  many: JsonObject,
): Promise<JsonObject> {
  const sendTo = async (type: "user" | "group", ids: string[]) => {
    const results: JsonObject = {};
    for (const id of ids) {
      results[id] = await toResult(() =>
        storeMessage(call, call.app, {
          ...draft,
          recipient: requireRecipient(call, draft.sender, { type, id }),
        }),
      );
    }
    return results;
  };
  const uids = optionalTexts(many, "uids");
  const guids = optionalTexts(many, "guids");
  if (uids === undefined && guids === undefined) {
    throw new PlatformError("ERR_EMPTY_RECEIVER", "multipleReceivers needs uids or guids.");
  }
  return {
    ...(uids === undefined ? {} : { uids: await sendTo("user", uids) }),
    ...(guids === undefined ? {} : { guids: await sendTo("group", guids) }),
  };
}

async function toResult(send: () => Promise<Message>): Promise<JsonObject> {
  try {
    return { success: true, data: await send() };
  } catch (error) {
    if (error instanceof PlatformError) return toItemFailure(error);
    throw error;
  }
}

function readQuoted(call: AppCall): JsonObject | undefined {
  const id = call.body.quotedMessageId;
  if (id === undefined || id === null) return undefined;
  const quoted = findMessage(call.db, call.app.appId, String(id));
  if (quoted === undefined) {
    throw new PlatformError("ERR_MESSAGE_ID_NOT_FOUND", "The quoted message doesn't exist.");
  }
  const { quotedMessage: _inner, ...shown } = quoted;
  return shown;
}
