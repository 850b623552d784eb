import { bannedFrom, notJoined, PlatformError, toItemFailure } from "../errors/platform-error.ts";
import { optionalObject, optionalTags, optionalText, optionalTexts } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { findBot } from "../store/bots.ts";
import { findMember, isBanned } from "../store/groups.ts";
import { findMessage, type Message, type MessageDraft, type Recipient } from "../store/messages.ts";
import { findBlock } from "../store/relations.ts";
import { systemUser, type User } from "../store/users.ts";
import { requireGroupByGuid } from "./group-lookup.ts";
import { withFormFiles } from "./message-form.ts";
import { conversationIdOf, storeMessage } from "./message-store.ts";
import { readMessageContent } from "./message-validate.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Answers POST /messages. @see docs/platform/messages.md#sending */
export async function postMessage(request: AppRequest): Promise<Reply> {
  return await sendFrom(request, request.actor ?? systemUser);
}

/** Sends what the body says in a sender's name, with `parent` as a reply in its thread, and answers the message. */
export async function sendFrom(request: AppRequest, sender: User, parent?: Message): Promise<Reply> {
  return await withFormFiles(request, (filled) => sendFilled(filled, sender, parent));
}

async function sendFilled(request: AppRequest, sender: User, parent: Message | undefined): Promise<Reply> {
  const draft = { sender, ...readDraft(request), parentId: parent?.id };
  const many = optionalObject(request.body, "multipleReceivers");
  if (many !== undefined) return reply(await sendToMany(request, draft, many, parent));
  const target = readTarget(request.body, sender, parent);
  const recipient = requireRecipient(request, sender, target, parent);
  return reply(await storeMessage(request, { ...draft, recipient }));
}

/** Reads and checks all of a message but its recipient. */
function readDraft(request: AppRequest): Omit<MessageDraft, "sender" | "recipient"> {
  return {
    ...readMessageContent(request.body),
    muid: optionalText(request.body, "muid"),
    tags: optionalTags(request.body),
    quotedMessage: readQuoted(request),
  };
}

type Target = { type: "user" | "group"; id: string };

// A reply goes where its parent is unless it says otherwise (assumed).
function readTarget(body: JsonObject, sender: User, parent: Message | undefined): Target {
  const { receiver, receiverType } = body;
  if (receiver === undefined || receiver === null || receiver === "") {
    if (parent === undefined)
      throw new PlatformError("ERR_EMPTY_RECEIVER", "The receiver of the message is empty.");
    const other = parent.sender === sender.uid ? parent.receiver : parent.sender;
    return { type: parent.receiverType, id: parent.receiverType === "group" ? parent.receiver : other };
  }
  if (receiverType !== "user" && receiverType !== "group") {
    throw new PlatformError("ERR_INVALID_RECEIVER_TYPE", "The receiverType must be user or group.");
  }
  return { type: receiverType, id: String(receiver) };
}

/**
 * Finds a recipient and checks that the sender may write to them.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_BLOCKED_RECEIVER, ERR_BLOCKED_SENDER, ERR_GUID_NOT_FOUND,
 *   ERR_BANNED_GROUPMEMBER, ERR_GROUP_NOT_JOINED (assumed), ERR_WRONG_MESSAGE_THREAD
 */
function requireRecipient(
  request: AppRequest,
  sender: User,
  target: Target,
  parent: Message | undefined,
): Recipient {
  const recipient = findRecipient(request, sender, target);
  if (parent !== undefined && conversationIdOf(sender.uid, recipient) !== parent.conversationId) {
    throw new PlatformError(
      "ERR_WRONG_MESSAGE_THREAD",
      `The message ${parent.id} belongs to another conversation than the reply.`,
    );
  }
  return recipient;
}

function findRecipient(request: AppRequest, sender: User, target: Target): Recipient {
  if (target.type === "user") {
    const user = requireUserByUid(request, target.id);
    requireUnblocked(request, sender, user);
    return { type: "user", user };
  }
  const group = requireGroupByGuid(request, target.id);
  const { guid } = group;
  const writesAnywhere = sender.uid === systemUser.uid || findBot(request, sender.uid) !== undefined;
  if (!writesAnywhere && findMember(request, guid, sender.uid) === undefined) {
    if (isBanned(request, guid, sender.uid)) {
      throw bannedFrom(sender.uid, guid);
    }
    throw notJoined(sender.uid, guid);
  }
  return { type: "group", group };
}

// The meanings of the two codes are documented (docs/platform/answers-and-errors.md#error-codes), that they refuse
// messages is assumed.
function requireUnblocked(request: AppRequest, sender: User, receiver: User): void {
  if (findBlock(request, sender.uid, receiver.uid) !== undefined) {
    throw new PlatformError("ERR_BLOCKED_RECEIVER", `The user ${sender.uid} has blocked ${receiver.uid}.`);
  }
  if (findBlock(request, receiver.uid, sender.uid) !== undefined) {
    throw new PlatformError("ERR_BLOCKED_SENDER", `The user ${sender.uid} is blocked by ${receiver.uid}.`);
  }
}

// One message to each; the shape of the answer is not documented. Assumed: per-item results as in other bulk requests.
async function sendToMany(
  request: AppRequest,
  draft: Omit<MessageDraft, "recipient">,
  many: JsonObject,
  parent: Message | undefined,
): Promise<JsonObject> {
  const sendTo = async (type: "user" | "group", ids: string[]) => {
    const results: JsonObject = {};
    for (const id of ids) {
      results[id] = await toResult(() =>
        storeMessage(request, {
          ...draft,
          recipient: requireRecipient(request, draft.sender, { type, id }, parent),
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

function readQuoted(request: AppRequest): JsonObject | undefined {
  const id = request.body.quotedMessageId;
  if (id === undefined || id === null) return undefined;
  const quoted = findMessage(request, String(id));
  if (quoted === undefined) {
    throw new PlatformError("ERR_MESSAGE_ID_NOT_FOUND", "The quoted message doesn't exist.");
  }
  const { quotedMessage: _inner, ...shown } = quoted;
  return shown;
}
