import { ensureRecipient, ensureUser, optionalSeconds, userDetails } from "../chat/ensure-entities.ts";
import { requireMessage } from "../chat/message-access.ts";
import { removeMessage } from "../chat/message-change.ts";
import { listByCursor } from "../chat/message-lists.ts";
import { buildMessage, keepMessage, mentionedUsers } from "../chat/message-store.ts";
import { readMessageContent, readMessageData } from "../chat/message-validate.ts";
import { messageNotFound } from "../errors/failures.ts";
import { optionalObject, optionalTags, optionalText, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { isJsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { isModerated, receivedBy } from "../store/message-conditions.ts";
import { type Message, putMessage } from "../store/messages.ts";
import { systemUser } from "../store/users.ts";
import { withModeration } from "../store/verdict.ts";
import { emitDecision } from "../webhooks/moderation-events.ts";
import { approval, withStatus } from "./moderator.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/moderation.md#messages-of-other-systems",
  onBehalfOf: "unsupported",
} as const;
const many = "/moderation/messages";
const one = "/moderation/messages/{id}";

/** Declares the family of messages sent for moderation. */
export const moderatedMessageRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "chat-api-send-message-moderation",
    input: {
      body: {
        receiverGroupDetails: "object",
        receiverUserDetails: userDetails,
        senderUserDetails: userDetails,
      },
    },
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
    handler: (request) => reply(requireModerated(request)),
  },
  {
    ...base,
    operationId: "chat-api-update-message-moderation",
    input: { needs: { any: ["data"] } },
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

async function send(request: AppRequest): Promise<Reply> {
  const content = readMessageContent(request.body);
  const tags = optionalTags(request.body);
  const muid = optionalText(request.body, "muid");
  const sentAt = optionalSeconds(request.body, "sentAt");
  const sender = ensureUser(
    request,
    requiredText(request.body, "sender"),
    optionalObject(request.body, "senderUserDetails"),
  );
  const recipient = ensureRecipient(request, request.body);
  const message = buildMessage(request, request.app, { sender, recipient, ...content, tags, muid, sentAt });
  const verdict = (await request.moderate(request, request.app, message)) ?? approval(message);
  return reply(withStatus(keepMessage(request, request.app, message, verdict), "pending"));
}

function list(request: AppRequest): Reply {
  const uid = request.query.text("receiverUID")?.toLowerCase();
  const guid = request.query.text("receiverGUID")?.toLowerCase();
  return listByCursor(request, [
    ...isModerated(request.query.text("moderationStatus")),
    ...(uid === undefined ? [] : [receivedBy("user", uid)]),
    ...(guid === undefined ? [] : [receivedBy("group", guid)]),
  ]);
}

async function update(request: AppRequest): Promise<Reply> {
  const stored = requireModerated(request);
  const data = { ...stored.data, ...readMessageData(request.body) };
  const { mentions: _mentions, ...rest } = data;
  const mentions = mentionedUsers(request, request.app, data.text);
  const at = nowSeconds(request);
  const edited: Message = {
    ...stored,
    data: { ...rest, ...(mentions === undefined ? {} : { mentions }), entities: stored.data.entities },
    editedAt: at,
    editedBy: systemUser.uid,
    updatedAt: at,
  };
  const verdict = (await request.moderate(request, request.app, edited)) ?? approval(edited);
  const decided = withModeration(edited, verdict);
  request.db.transaction(() => {
    putMessage(request.db, request.app.appId, decided);
    emitDecision(request, request.app, decided, verdict);
  });
  return reply(withStatus(decided, "pending"));
}

function remove(request: AppRequest): Reply {
  const { id } = requireModerated(request);
  removeMessage(request);
  return acknowledge(`Message with id ${id} has been deleted successfully.`);
}

function requireModerated(request: AppRequest): Message {
  const message = requireMessage(request);
  if (!isJsonObject(message.data.moderation)) throw messageNotFound();
  return message;
}
