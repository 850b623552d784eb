import { ensureRecipient, ensureUser, optionalSeconds } from "../chat/ensure-entities.ts";
import { requireMessage } from "../chat/message-access.ts";
import { deleteMessage } from "../chat/message-change.ts";
import { listByCursor } from "../chat/message-lists.ts";
import { buildMessage, keepMessage, mentionedUsers } from "../chat/message-store.ts";
import { readMessageContent, readMessageData } from "../chat/message-validate.ts";
import { messageNotFound } from "../errors/failures.ts";
import { optionalObject, optionalTags, optionalText, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { isJsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { isModerated, receivedBy } from "../store/message-conditions.ts";
import { type Message, putMessage } from "../store/messages.ts";
import { systemUser } from "../store/users.ts";
import { withModeration } from "../store/verdict.ts";
import { emitDecision } from "../webhooks/moderation-events.ts";
import { approval, withStatus } from "./moderator.ts";

const base = { fidelity: "documented", source: "docs/platform/moderation.md#messages-of-other-systems", onBehalfOf: "unsupported" } as const;
const many = "/moderation/messages";
const one = "/moderation/messages/{id}";

/** Declares the family of messages sent for moderation. */
export const moderatedMessageRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "chat-api-send-message-moderation",
    method: "POST",
    path: many,
    assumptions: [
      "The answer says pending; the decision is made before the call ends and is seen in later reads.",
      "Without any rule that looks at it the message is approved.",
      "The message is stored and told to webhooks like any other.",
      "A sender or receiver that does not exist and is not described is refused.",
    ],
    handler: send,
  },
  {
    ...base,
    operationId: "chat-api-list-message-moderation",
    method: "GET",
    path: many,
    assumptions: ["Lists all messages that were moderated, also those sent otherwise."],
    handler: list,
  },
  {
    ...base,
    operationId: "chat-api-get-message-moderation",
    method: "GET",
    path: one,
    handler: (call) => reply(requireModerated(call)),
  },
  {
    ...base,
    operationId: "chat-api-update-message-moderation",
    method: "PUT",
    path: one,
    assumptions: [
      "`editedBy` is app_system.",
      "Only the moderation events tell of the edit, no message_edited.",
    ],
    handler: update,
  },
  {
    ...base,
    operationId: "chat-api-delete-message-moderation",
    method: "DELETE",
    path: one,
    assumptions: ["Deletes like DELETE /messages/{id}, action message and event included."],
    handler: remove,
  },
];

async function send(call: AppCall): Promise<Reply> {
  const content = readMessageContent(call.body);
  const tags = optionalTags(call.body);
  const muid = optionalText(call.body, "muid");
  const sentAt = optionalSeconds(call.body, "sentAt");
  const sender = ensureUser(
    call,
    requiredText(call.body, "sender"),
    optionalObject(call.body, "senderUserDetails"),
  );
  const recipient = ensureRecipient(call, call.body);
  const message = buildMessage(call, call.app, { sender, recipient, ...content, tags, muid, sentAt });
  const verdict = (await call.moderate(call, call.app, message)) ?? approval(message);
  return reply(withStatus(keepMessage(call, call.app, message, verdict), "pending"));
}

function list(call: AppCall): Reply {
  const uid = call.query.text("receiverUID")?.toLowerCase();
  const guid = call.query.text("receiverGUID")?.toLowerCase();
  return listByCursor(call, [
    ...isModerated(call.query.text("moderationStatus")),
    ...(uid === undefined ? [] : [receivedBy("user", uid)]),
    ...(guid === undefined ? [] : [receivedBy("group", guid)]),
  ]);
}

async function update(call: AppCall): Promise<Reply> {
  const stored = requireModerated(call);
  const data = { ...stored.data, ...readMessageData(call.body) };
  const { mentions: _mentions, ...rest } = data;
  const mentions = mentionedUsers(call, call.app, data.text);
  const at = nowSeconds(call);
  const edited: Message = {
    ...stored,
    data: { ...rest, ...(mentions === undefined ? {} : { mentions }), entities: stored.data.entities },
    editedAt: at,
    editedBy: systemUser.uid,
    updatedAt: at,
  };
  const verdict = (await call.moderate(call, call.app, edited)) ?? approval(edited);
  const decided = withModeration(edited, verdict);
  call.db.transaction(() => {
    putMessage(call.db, call.app.appId, decided);
    emitDecision(call, call.app, decided, verdict);
  });
  return reply(withStatus(decided, "pending"));
}

function remove(call: AppCall): Reply {
  const { id } = requireModerated(call);
  deleteMessage(call);
  return acknowledge(`Message with id ${id} has been deleted successfully.`);
}

function requireModerated(call: AppCall): Message {
  const message = requireMessage(call);
  if (!isJsonObject(message.data.moderation)) throw messageNotFound();
  return message;
}
