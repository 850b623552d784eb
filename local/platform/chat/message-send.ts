import { randomBytes } from "node:crypto";
import { ensure, ensureField, itemFailure } from "../errors/platform-error.ts";
import { optionalObject, optionalTags, optionalText, optionalTexts, readForm } from "../http/fields.ts";
import type { AppRequest } from "../http/route.ts";
import { isJsonObject, type JsonObject, omit, readJson } from "../json.ts";
import { deleteDocument, putDocument } from "../store/database.ts";
import { fileKind, type Message, type MessageDraft, type Recipient } from "../store/messages.ts";
import type { User } from "../store/users.ts";
import { type Party, requireParty } from "./lookup.ts";
import { mediaAddress } from "./media.ts";
import { conversationIdOf, storeMessage } from "./message-store.ts";
import { readMessageContent } from "./message-validate.ts";
import { requireLiveMessage } from "./message-view.ts";

export async function sendFrom(request: AppRequest, sender: User, parent?: Message): Promise<JsonObject> {
  return await withFormFiles(request, sender.uid, (filled) => sendFilled(filled, sender, parent));
}

async function sendFilled(request: AppRequest, sender: User, parent: Message | undefined) {
  const draft = {
    sender,
    ...readMessageContent(request.body),
    muid: optionalText(request.body, "muid"),
    tags: optionalTags(request.body),
    quotedMessage: readQuoted(request),
    parentId: parent?.id,
  };
  const many = optionalObject(request.body, "multipleReceivers");
  if (many !== undefined) return await sendToMany(request, draft, many, parent);
  const target = readTarget(request.body, sender, parent);
  const recipient = requireRecipient(request, sender, target, parent);
  return await storeMessage(request, { ...draft, recipient });
}

// A reply has its parent's target by default (assumed).
function readTarget(body: JsonObject, sender: User, parent: Message | undefined): Party {
  const { receiver, receiverType } = body;
  if (receiver === undefined || receiver === null || receiver === "") {
    ensure(parent !== undefined, "ERR_EMPTY_RECEIVER", "The receiver of the message is empty.");
    const other = parent.sender === sender.uid ? parent.receiver : parent.sender;
    return { type: parent.receiverType, id: parent.receiverType === "group" ? parent.receiver : other };
  }
  ensure(
    receiverType === "user" || receiverType === "group",
    "ERR_INVALID_RECEIVER_TYPE",
    "The receiverType must be user or group.",
  );
  return { type: receiverType, id: String(receiver) };
}

function requireRecipient(
  request: AppRequest,
  sender: User,
  target: Party,
  parent: Message | undefined,
): Recipient {
  const recipient = requireParty(request, target);
  ensure(
    parent === undefined || conversationIdOf(sender.uid, recipient) === parent.conversationId,
    "ERR_WRONG_MESSAGE_THREAD",
    `The message ${parent?.id} belongs to another conversation than the reply.`,
  );
  return recipient;
}

// The answer's shape is assumed.
async function sendToMany(
  request: AppRequest,
  draft: Omit<MessageDraft, "recipient">,
  many: JsonObject,
  parent: Message | undefined,
) {
  const sendTo = async (type: "user" | "group", ids: string[]) => {
    const results = new Map<string, JsonObject>();
    for (const id of ids) {
      try {
        const recipient = requireRecipient(request, draft.sender, { type, id }, parent);
        results.set(id, { success: true, data: await storeMessage(request, { ...draft, recipient }) });
      } catch (error) {
        results.set(id, itemFailure(error));
      }
    }
    return Object.fromEntries(results);
  };
  const uids = optionalTexts(many, "uids");
  const guids = optionalTexts(many, "guids");
  ensure(
    uids !== undefined || guids !== undefined,
    "ERR_EMPTY_RECEIVER",
    "multipleReceivers needs uids or guids.",
  );
  return {
    ...(uids !== undefined && { uids: await sendTo("user", uids) }),
    ...(guids !== undefined && { guids: await sendTo("group", guids) }),
  };
}

function readQuoted(request: AppRequest) {
  const id = request.body.quotedMessageId;
  if (id === undefined || id === null) return undefined;
  return omit(requireLiveMessage(request, String(id)), "quotedMessage");
}

/** No page describes the form (assumed). */
async function withFormFiles<T>(request: AppRequest, uid: string, send: (request: AppRequest) => Promise<T>) {
  if (!request.contentType.toLowerCase().startsWith("multipart/form-data")) return await send(request);
  // A message may have 100 MB, with its body (docs/internals/platform/ids-and-limits.md#size-of-messages).
  ensureField(request.rawBody.length <= maxBytes, "file", "A message may not be greater than 100 MB.");
  const form = await readForm(request);
  const files = [...form.values()].filter((value) => typeof value !== "string");
  const body = bodyOf(form);
  const kept = await Promise.all(files.map((file) => keep(request, file, uid)));
  try {
    const attachments = kept.map(({ attachment }) => attachment);
    return await send({ ...request, body: withAttachments(body, attachments) });
  } catch (error) {
    for (const { id } of kept) deleteDocument(request, fileKind, id);
    throw error;
  }
}

function bodyOf(form: FormData) {
  const texts = [...form].filter((entry) => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([field, value]) => [field, readField(field, String(value))]));
}

function readField(field: string, value: string) {
  if (!structured.includes(field)) return value;
  const parsed = readJson(value);
  ensureField(parsed !== undefined, field, `The ${field} of a form must be JSON.`);
  return parsed;
}

async function keep(request: AppRequest, file: File, uid: string) {
  const { name, size } = file;
  const id = randomBytes(12).toString("hex");
  const mimeType = file.type || "application/octet-stream";
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  putDocument(request, fileKind, id, { uid, name, mimeType, base64 });
  const [, extension = ""] = /\.([^.]*)$/.exec(name) ?? [];
  return { id, attachment: { url: mediaAddress(request, id, name), name, mimeType, extension, size } };
}

function withAttachments(body: JsonObject, attachments: JsonObject[]) {
  const [first] = attachments;
  if (first === undefined) return body;
  const data = body.data ?? {};
  const kind = String(first.mimeType).split("/")[0] ?? "";
  const sent = isJsonObject(data) && Array.isArray(data.attachments) ? data.attachments : [];
  return {
    type: ["image", "audio", "video"].includes(kind) ? kind : "file",
    ...body,
    data: isJsonObject(data) ? { ...data, attachments: [...sent, ...attachments] } : data,
  };
}

const structured = ["data", "tags", "multipleReceivers"];
const maxBytes = 100 * 1_024 * 1_024;
