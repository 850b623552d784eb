import { ensure, ensureField } from "../errors/platform-error.ts";
import { isJsonObject, type JsonObject, omit } from "../json.ts";

type MessageContent = { category: "message" | "custom"; type: string; data: JsonObject };

/**
 * Default: message and text.
 * @throws PlatformError with the code of the first mistake (order of checks: assumed)
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

/** That what a message of this kind is for is there. */
export function checkContent(category: string, type: string, data: JsonObject): void {
  if (category === "custom") {
    const isThere = !isAbsent(data.customData);
    ensure(isThere, "ERR_EMPTY_CUSTOM_DATA", "The custom data of the message is empty.");
  } else if (category === "message") {
    if (type === "text") checkText(data);
    else checkAttachments(data);
  }
}

/** Checks the size and the types of known fields only. */
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
  // 65,536 characters for the whole payload (docs/internals/platform/ids-and-limits.md#size-of-messages). The
  // 10 KB for `data` of the same page contradicts a 9,000 character text in several scripts and is not
  // enforced.
  ensureField(
    JSON.stringify(body).length <= maxPayloadCharacters,
    "data",
    `The message may not be greater than ${maxPayloadCharacters} characters.`,
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

// How the platform treats null is not documented; here null counts as absent.
function isAbsent(value: unknown) {
  return value === undefined || value === null;
}

const messageTypes = ["text", "image", "file", "audio", "video"];
const maxPayloadCharacters = 65_536;
const maxMentions = 10; // docs/internals/platform/ids-and-limits.md#quantities

/** Mentions are `<@uid:…>`. */
export function mentionedUids(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...text.matchAll(/<@uid:([^<>\s]{1,100})>/g)].map(([, uid = ""]) => uid);
}
