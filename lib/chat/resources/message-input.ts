import * as z from "zod/mini";
import { json, platformId, tags } from "../fields.ts";

/** Message payloads have at most 65,536 characters, their `data` at most 10 KB (platform facts: chat-api §5). */
const maxPayloadCharacters = 65_536;
const maxDataBytes = 10 * 1024;

const attachment = () =>
  z.looseObject({
    url: z.string().check(z.minLength(1)),
    name: z.string(),
    mimeType: z.string(),
    extension: z.string(),
    size: z.optional(z.union([z.string(), z.number()])),
  });

const data = () =>
  z
    .looseObject({
      text: z.optional(z.string()),
      metadata: z.optional(json()),
      customData: z.optional(json()),
      attachments: z.optional(z.array(attachment())),
    })
    .check(
      z.refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxDataBytes, "at most 10 KB of JSON"),
    );

/** Fields every sent message has; `category` defaults to message, `type` to text on the platform's side. */
export const messageFields = () => ({
  /** uid or guid. */
  receiver: z.optional(platformId()),
  receiverType: z.optional(z.enum(["user", "group"])),
  category: z.optional(z.enum(["message", "custom"])),
  /** text, image, file, audio or video; free for category custom. */
  type: z.optional(z.string().check(z.minLength(1))),
  data: z.optional(data()),
  /** The message again to several receivers at once. */
  multipleReceivers: z.optional(
    z.strictObject({ uids: z.optional(z.array(platformId())), guids: z.optional(z.array(platformId())) }),
  ),
  tags: z.optional(tags()),
});

/** Checks a message to send: a receiver, content that fits its category and type, and the platform's sizes. */
export const messageInput = () =>
  z
    .strictObject({
      ...messageFields(),
      /** Your own id; the platform echoes it, so an unclear send can be looked for. */
      muid: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
      quotedMessageId: z.optional(z.string()),
    })
    .check(...messageRules());

/** Rules that concern several fields of a message at once. */
export function messageRules() {
  return [
    z.refine<MessageShape>(
      (value) =>
        value.multipleReceivers !== undefined ||
        (value.receiver !== undefined && value.receiverType !== undefined),
      { error: "given together with receiverType (or multipleReceivers)", path: ["receiver"] },
    ),
    z.refine<MessageShape>((value) => value.category === "custom" || value.data?.customData === undefined, {
      error: "left out unless category is custom",
      path: ["data", "customData"],
    }),
    z.refine<MessageShape>(
      (value) =>
        value.category === "custom" || (value.type ?? "text") !== "text" || Boolean(value.data?.text),
      { error: "a non-empty text", path: ["data", "text"] },
    ),
    z.refine<MessageShape>((value) => JSON.stringify(value).length <= maxPayloadCharacters, {
      error: "at most 65,536 characters of JSON as a whole",
      path: ["data"],
    }),
  ] as const;
}

type MessageShape = z.infer<z.ZodMiniObject<ReturnType<typeof messageFields>>>;

/** `data` with which a message is replaced. */
export const messageUpdate = () => z.strictObject({ data: z.optional(data()), tags: z.optional(tags()) });
