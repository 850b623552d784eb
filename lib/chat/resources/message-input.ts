import * as z from "zod/mini";
import type { Needs } from "../needs.ts";
import {
  affix,
  atLeastOne,
  ids,
  int,
  json,
  jsonBytes,
  list,
  looseObject,
  opt,
  optional,
  platformId,
  range,
  type Schema,
  strictObject,
  tags,
  typedInput,
  unixSeconds,
  word,
  words,
  yesNo,
} from "../schema.ts";

/** `data` has at most 10 KB (docs/internals/platform/ids-and-limits.md#size-of-messages). */
const maxPayloadCharacters = 65_536;
const maxDataBytes = 10 * 1024;

export const attachment = () =>
  strictObject({
    url: words(3_000),
    name: words(1_000),
    mimeType: words(255),
    extension: words(100),
    /** Bytes. */
    size: opt(z.union([z.string(), z.number()])),
  });

/** Allows further fields, which the platform also stores. */
export const messageData = () =>
  looseObject({
    text: opt(word),
    metadata: opt(json),
    customData: opt(json),
    attachments: opt(z.array(attachment())),
  }).check(z.refine((value) => jsonBytes(value) <= maxDataBytes, "at most 10 KB as JSON"));

const content = () =>
  optional({
    /** uid or guid. */
    receiver: platformId,
    receiverType: z.enum(["user", "group"]),
    /** Default: message. */
    category: z.enum(["message", "custom"]),
    /** text (the default), image, file, audio or video; any text if the category is custom. */
    type: words(100),
    data: messageData,
    /** Sends to several receivers; the answer's shape is not documented. */
    multipleReceivers: atLeastOne(strictObject(optional({ uids: ids, guids: ids }))),
    tags,
  });

const sendFields = () =>
  strictObject({
    ...content(),
    /** Your own id; the platform returns it, so that an unclear send can be found. */
    muid: opt(words(100)),
    quotedMessageId: opt(word),
  });

/** Also checks receiver, content and the platform's sizes. */
export const messageInput = (): Schema<MessageFields, Addressed<MessageFields>> =>
  typedInput(sendFields().check(hasReceiver(), ...contentRules()));

const replyFields = () => strictObject(content());

/** Omits the receiver, which is the parent's. */
export const replyInput = (): Schema<ReplyFields, Addressed<ReplyFields>> =>
  typedInput(replyFields().check(hasReceiver(), ...contentRules()));

type MessageFields = z.input<ReturnType<typeof sendFields>>;
type ReplyFields = z.input<ReturnType<typeof replyFields>>;

type Addressed<Fields extends ReplyFields> =
  | Needs<Fields, "receiver" | "receiverType">
  | Needs<Fields, "multipleReceivers">;

function hasReceiver() {
  return z.refine<ReplyFields>(
    (value) =>
      value.multipleReceivers !== undefined ||
      (value.receiver !== undefined && value.receiverType !== undefined),
    { error: "given together with receiverType, or multipleReceivers in place of both", path: ["receiver"] },
  );
}

/** @see docs/internals/platform/messages.md#sending */
function contentRules() {
  return [
    z.refine<ReplyFields>((value) => isCustom(value) || value.data?.customData === undefined, {
      error: "left out unless category is custom",
      path: ["data", "customData"],
    }),
    z.refine<ReplyFields>((value) => !isCustom(value) || value.data?.customData !== undefined, {
      error: "given when category is custom",
      path: ["data", "customData"],
    }),
    z.refine<ReplyFields>((value) => isCustom(value) || mediaTypes.has(value.type ?? "text"), {
      error: "text, image, file, audio or video unless category is custom",
      path: ["type"],
    }),
    z.refine<ReplyFields>(
      (value) => isCustom(value) || (value.type ?? "text") !== "text" || Boolean(value.data?.text),
      {
        error: "a non-empty text",
        path: ["data", "text"],
      },
    ),
    z.refine<ReplyFields>((value) => JSON.stringify(value).length <= maxPayloadCharacters, {
      error: "at most 65,536 characters of JSON as a whole",
      path: ["data"],
    }),
  ] as const;
}

const mediaTypes = new Set(["text", "image", "file", "audio", "video"]);

function isCustom(value: ReplyFields) {
  return value.category === "custom";
}

/**
 * Omits `sentAt`, which means "after this second" and would skip that second's messages
 * (docs/internals/platform/answers-and-errors.md#lists-by-cursor,
 * docs/internals/platform/messages.md#listing-messages).
 */
export const messageCursor = { affix: "affix", id: "id" } as const;

const limit = () => int(1, 1_000);

/** Times are unix seconds. */
const common = () =>
  optional({
    searchKey: word,
    hasAttachments: yesNo,
    attachmentTypes: z.enum(["image", "video", "audio", "file"]),
    hasMentions: yesNo,
    hasLinks: yesNo,
    /**
     * uids; the catalogue's "boolean" is wrong
     * (docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
     */
    mentionedUids: ids,
    hasReactions: yesNo,
    affix,
    /** Message id of the cursor. */
    id: word,
    category: word,
    categories: list,
    type: word,
    types: list,
    /** A uid. */
    sender: word,
    mentionsWithBlockedInfo: yesNo,
    mentionsWithTagInfo: yesNo,
    hideReplies: yesNo,
    hideQuotedMessages: yesNo,
    count: yesNo,
    /** Together with `count`. */
    unread: yesNo,
    limit,
    withTags: yesNo,
    tags: list,
    fromTimestamp: unixSeconds,
    /** Has no effect without `fromTimestamp`. */
    toTimestamp: unixSeconds,
  });

export const messageQuery = () =>
  strictObject({
    ...common(),
    ...optional({
      hideMessagesFromBlockedUsers: yesNo,
      receiverType: z.enum(["user", "group"]),
      senders: ids,
      hideDeleted: yesNo,
      onlyDeleted: yesNo,
      conversationId: word,
      /** A number: cursor, messages after this second. A range: filter. */
      sentAt: z.union([unixSeconds(), range()]),
      updatedAt: range,
      editedAt: range,
    }),
  });

export const userMessageQuery = () =>
  strictObject({
    ...common(),
    ...optional({ undelivered: yesNo, myMentionsOnly: yesNo, perPage: limit }),
  });

export const groupMessageQuery = () =>
  strictObject({
    ...common(),
    ...optional({ undelivered: yesNo, myMentionsOnly: yesNo, hideMessagesFromBlockedUsers: yesNo }),
  });
