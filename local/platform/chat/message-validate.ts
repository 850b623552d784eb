import { bannedFrom, ensure, ensureField, messageNotFound, notJoined } from "../errors/platform-error.ts";
import { isJsonObject, type JsonObject, omit } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import { findBot } from "../store/bots.ts";
import type { AppData } from "../store/database.ts";
import { findMember, isBanned } from "../store/groups.ts";
import { isHidden } from "../store/message-access.ts";
import { findMessage, type Message, type MessageDraft } from "../store/messages.ts";
import { isBlockedBy, systemUser } from "../store/users.ts";
import { type Acting, requireGroupByGuid, requireUserByUid } from "./lookup.ts";

type MessageContent = { category: "message" | "custom"; type: string; data: JsonObject };

/**
 * The order of checks is assumed.
 * @see docs/internals/platform/messages.md#sending, docs/internals/platform/answers-and-errors.md#error-codes
 */
export function readMessageContent(body: JsonObject): MessageContent {
  const category = body.category ?? "message";
  ensure(category !== "", "ERR_EMPTY_MESSAGE_CATEGORY", "The message category is empty.");
  ensure(
    category === "message" || category === "custom",
    "ERR_INVALID_MESSAGE_CATEGORY",
    "The message category must be message or custom.",
  );
  const type = body.type ?? (category === "message" ? "text" : "");
  ensure(type !== "", "ERR_EMPTY_MESSAGE_TYPE", "The message type is empty.");
  ensure(
    typeof type === "string" && (category !== "message" || messageTypes.includes(type)),
    "ERR_INVALID_MESSAGE_TYPE",
    `The message type must be one of: ${messageTypes.join(", ")}.`,
  );
  const data = readMessageData(body);
  checkContent(category, type, data);
  return { category, type, data };
}

export function checkContent(category: string, type: string, data: JsonObject): void {
  if (category === "custom") {
    const isThere = !isAbsent(data.customData);
    ensure(isThere, "ERR_EMPTY_CUSTOM_DATA", "The custom data of the message is empty.");
  } else if (category === "message") {
    if (type === "text") checkText(data);
    else checkAttachments(data);
  }
}

export function readMessageData(body: JsonObject): JsonObject {
  const data = body.data ?? {};
  ensure(isJsonObject(data), "ERR_INVALID_MESSAGE_DATA", "The message data must be an object.");
  ensure(
    isAbsent(data.metadata) || isJsonObject(data.metadata),
    "ERR_INVALID_METADATA",
    "The message metadata must be an object.",
  );
  ensure(
    isAbsent(data.text) || typeof data.text === "string",
    "ERR_INVALID_MESSAGE_TEXT",
    "The message text must be a string.",
  );
  ensureField(
    new Set(mentionedUids(data.text)).size <= maxMentions,
    "data.text",
    `A message may not mention more than ${maxMentions} users.`,
  );
  ensure(
    isAbsent(data.customData) || isJsonObject(data.customData),
    "ERR_INVALID_CUSTOM_DATA",
    "The custom data of the message must be an object.",
  );
  ensure(
    isAbsent(data.attachments) || isAttachments(data.attachments),
    "ERR_INVALID_MEDIA_MESSAGE",
    "The attachments must be objects with a url each.",
  );
  // docs/internals/platform/ids-and-limits.md#size-of-messages
  ensureField(
    JSON.stringify(body).length <= maxPayloadCharacters,
    "data",
    `The message may not be greater than ${maxPayloadCharacters} characters.`,
  );
  ensureField(
    Buffer.byteLength(JSON.stringify(data)) <= maxDataBytes,
    "data",
    `The data of a message may not be greater than ${maxDataBytes} bytes.`,
  );
  return omit(data, "moderation", "mentions", "reactions"); // the platform's alone
}

export function checkText(data: JsonObject): void {
  ensure(!isAbsent(data.text) && data.text !== "", "ERR_EMPTY_MESSAGE_TEXT", "The message text is empty.");
}

function checkAttachments(data: JsonObject) {
  const { attachments, url } = data;
  if (isAbsent(attachments) && typeof url === "string" && url !== "") return;
  ensure(
    !isAbsent(attachments) && !(Array.isArray(attachments) && attachments.length === 0),
    "ERR_EMPTY_MESSAGE_FILE",
    "The media message has no file.",
  );
}

function isAttachments(value: unknown) {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && typeof item.url === "string");
}

// Null counts as absent (assumed).
function isAbsent(value: unknown) {
  return value === undefined || value === null;
}

const messageTypes = ["text", "image", "file", "audio", "video"];
const maxPayloadCharacters = 65_536;
const maxDataBytes = 10 * 1024;
const maxMentions = 10; // docs/internals/platform/ids-and-limits.md#quantities

export function mentionedUids(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...text.matchAll(/<@uid:([^<>\s]{1,100})>/g)].map(([, uid = ""]) => uid);
}

/** Checks again: what the draft names may have gone. */
export function requireSendable(services: AppServices, draft: MessageDraft, options: Options = {}): void {
  const { sender, recipient, parentId, quotedMessage } = draft;
  const { uid } = sender;
  if (uid !== systemUser.uid) requireUserByUid(services, uid);
  if (recipient.type === "user") requireUserByUid(services, recipient.user.uid);
  else requireGroupByGuid(services, recipient.group.guid);
  for (const id of [parentId, quotedMessage?.id]) {
    if (id === undefined) continue;
    const message = findMessage(services, String(id));
    if (message === undefined || message.deletedAt !== undefined) throw messageNotFound();
  }
  if (recipient.type === "user") {
    const isHidden = services.switches.messagesToBlocker === "hidden";
    requireUnblocked(services, uid, recipient.user.uid, isHidden);
    return;
  }
  const { guid } = recipient.group;
  if (uid === systemUser.uid || findMember(services, guid, uid) !== undefined) return;
  if (isBanned(services, guid, uid)) throw bannedFrom(uid, guid);
  const needsNoMembership = options.ofOtherSystem === true || findBot(services, uid) !== undefined;
  if (!needsNoMembership) throw notJoined(uid, guid);
}

/** `ofOtherSystem`: the sender need not be a member (assumed). */
type Options = { ofOtherSystem?: boolean };

/** Refuses an edit, pin or reaction if one blocks the other (assumed); undoing stays possible. */
export function requireReachable(acting: Acting, message: Message): void {
  const { actor } = acting;
  const { sender, receiver, receiverType } = message;
  if (actor === undefined || receiverType === "group" || isHidden(acting, message)) return;
  requireUnblocked(acting, actor.uid, actor.uid === sender ? receiver : sender, false);
}

/** @see docs/internals/platform/users-and-groups.md#blocked-users */
export function requireUnblocked(data: AppData, uid: string, other: string, isHidden: boolean): void {
  const [blocks, isBlocked] = [isBlockedBy(data, uid, other), isBlockedBy(data, other, uid)];
  ensure(!blocks, "ERR_BLOCKED_RECEIVER", `The user ${uid} has blocked ${other}.`);
  ensure(isHidden || !isBlocked, "ERR_BLOCKED_SENDER", `The user ${uid} is blocked by ${other}.`);
}
