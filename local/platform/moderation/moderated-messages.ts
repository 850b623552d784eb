import { ensureRecipient, ensureUser, optionalSeconds } from "../chat/ensure-entities.ts";
import { mergeData, removeMessage, storeJudged } from "../chat/message-change.ts";
import { buildMessage, keepMessage, recordChanged } from "../chat/message-store.ts";
import { readMessageContent, readMessageData, requireSendable } from "../chat/message-validate.ts";
import { requireMessage } from "../chat/message-view.ts";
import { listByCursor } from "../chat/messages.ts";
import { messageNotFound } from "../errors/platform-error.ts";
import { optionalObject, optionalTags, optionalText, requiredText } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily } from "../http/route.ts";
import { isJsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { isModerated, receivedBy } from "../store/message-conditions.ts";
import type { Message } from "../store/messages.ts";
import { systemUser } from "../store/users.ts";
import { emitDecision } from "../webhooks/message-events.ts";
import { approval, withStatus } from "./moderator.ts";

export const moderatedMessageRoutes = appFamily({
  async "chat-api-send-message-moderation"(request) {
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
    const draft = { sender, recipient, ...content, tags, muid, sentAt };
    requireSendable(request, draft, { ofOtherSystem: true });
    const message = buildMessage(request, draft);
    const verdict = (await request.moderate(request, message)) ?? approval(message);
    requireSendable(request, draft, { ofOtherSystem: true });
    return withStatus(keepMessage(request, message, verdict), "pending");
  },
  "chat-api-list-message-moderation"(request) {
    const uid = request.query.text("receiverUID")?.toLowerCase();
    const guid = request.query.text("receiverGUID")?.toLowerCase();
    return listByCursor(request, [
      ...isModerated(request.query.text("moderationStatus")),
      ...(uid === undefined ? [] : [receivedBy("user", uid)]),
      ...(guid === undefined ? [] : [receivedBy("group", guid)]),
    ]);
  },
  "chat-api-get-message-moderation": requireModerated,
  async "chat-api-update-message-moderation"(request) {
    const sent = readMessageData(request.body);
    const at = nowSeconds(request);
    const edit = () => {
      const before = requireModerated(request);
      const data = mergeData(request, before, sent);
      const changed: Message = { ...before, data, editedAt: at, editedBy: systemUser.uid, updatedAt: at };
      return { before, changed };
    };
    return await storeJudged(request, edit, {
      judge: async ({ changed }) => (await request.moderate(request, changed)) ?? approval(changed),
      store({ before, changed, verdict }) {
        recordChanged(request, before, changed);
        if (verdict !== undefined) emitDecision(request, changed, verdict);
        request.announce(request.app, "messageEdited", { message: changed, verdict });
        return withStatus(changed, "pending");
      },
    });
  },
  "chat-api-delete-message-moderation"(request) {
    const { id } = requireModerated(request);
    removeMessage(request);
    return acknowledge(`Message with id ${id} has been deleted successfully.`);
  },
});

function requireModerated(request: AppRequest) {
  const message = requireMessage(request);
  if (!isJsonObject(message.data.moderation)) throw messageNotFound();
  return message;
}
