import { ensure, ensureField, messageNotFound } from "../errors/platform-error.ts";
import { optionalFlag, optionalTags } from "../http/fields.ts";
import { type AppRequest, acknowledge } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject, omit, pick } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { deleteRows } from "../store/database.ts";
import { findGroup } from "../store/groups.ts";
import { isKept, isRejected } from "../store/message-access.ts";
import {
  isDisapproved,
  type Message,
  type Recipient,
  type Verdict,
  withModeration,
} from "../store/messages.ts";
import { purgeMessages } from "../store/purge.ts";
import { condition } from "../store/query.ts";
import { findUserOrStandIn, systemUser } from "../store/users.ts";
import { emitDecision, emitMessageChanged } from "../webhooks/message-events.ts";
import { isModerator } from "./lookup.ts";
import { buildActionMessage, mentionedUsers, recordChanged, storeActionMessage } from "./message-store.ts";
import { checkContent, checkText, readMessageData, requireReachable } from "./message-validate.ts";
import { requireMessage } from "./message-view.ts";

/** @see docs/internals/platform/messages.md#action-messages */
export async function updateMessage(request: AppRequest) {
  const data = readMessageData(request.body);
  if (Object.hasOwn(data, "text")) checkText(data);
  const tags = optionalTags(request.body);
  ensureField(
    Object.keys(data).length !== 0 || tags !== undefined,
    "data",
    "One of data and tags must hold what to change.",
  );
  const at = nowSeconds(request);
  const edit = () => {
    const before = requireChangeable(request);
    if (before.deletedAt !== undefined) throw messageNotFound();
    requireReachable(request, before);
    const changed: Message = {
      ...before,
      data: mergeData(request, before, data),
      editedAt: at,
      editedBy: actorUid(request),
      ...(request.switches.changesMoveUpdatedAt && { updatedAt: at }),
      ...defined({ tags }),
    };
    return { before, changed };
  };
  return await storeJudged(request, edit, {
    judge: async ({ before, changed }) =>
      hasSameWords(before, changed) ? undefined : await request.moderate(request, changed),
    store: (change) => recordChange(request, "edited", change),
  });
}

type Change = { before: Message; changed: Message; verdict?: Verdict | undefined };

/** Judges again after a change. Keeps a human's disapproval (assumed). `edit` throws without the message. */
export async function storeJudged<T>(
  services: AppServices,
  edit: () => Change,
  use: { judge(change: Change): Promise<Verdict | undefined>; store(change: Change): T },
): Promise<T> {
  for (;;) {
    const asked = edit();
    const verdict = isRejected(services, asked.before) ? undefined : await use.judge(asked);
    const stored = services.db.transaction(() => {
      const { before, changed } = edit();
      if (!hasSameWords(asked.before, before) || !hasSameWords(asked.changed, changed)) return undefined;
      if (verdict === undefined || isRejected(services, before)) {
        return { answer: use.store({ before, changed }) };
      }
      return { answer: use.store({ before, changed: withModeration(changed, verdict), verdict }) };
    });
    if (stored !== undefined) return stored.answer;
  }
}

function hasSameWords(one: Message, other: Message) {
  const wordsOf = ({ data: { text, attachments, url, customData } }: Message) =>
    JSON.stringify([text, attachments, url, customData]);
  return wordsOf(one) === wordsOf(other);
}

/** Keeps the content unless `permanent`, also later. */
export function removeMessage(request: AppRequest): object {
  const message = requireChangeable(request);
  const isPermanent = optionalFlag(request.body, "permanent") === true;
  if (message.deletedAt !== undefined) {
    if (!isPermanent) throw messageNotFound();
    return purge(request, message.id);
  }
  const at = nowSeconds(request);
  const changed: Message = {
    ...omit(message, "pinnedBy", "pinnedAt"),
    deletedAt: at,
    deletedBy: actorUid(request),
    ...(request.switches.changesMoveUpdatedAt && { updatedAt: at }),
  };
  const actionMessage = recordChange(request, "deleted", { before: message, changed });
  deleteRows(request, "pinned_messages", { messageId: message.id });
  return isPermanent ? purge(request, message.id) : actionMessage;
}

function purge(request: AppRequest, id: string) {
  purgeMessages(request, condition("id = ?", Number(id)));
  return acknowledge(`Message with id ${id} has been deleted successfully.`);
}

function recordChange(
  request: AppRequest,
  action: "edited" | "deleted",
  { before, changed, verdict }: Change,
) {
  const isBlocked = action === "edited" && isDisapproved(changed);
  recordChanged(request, before, changed);
  // An action message would show receivers a hidden message.
  const recordAction = isKept(request, changed) ? buildActionMessage : storeActionMessage;
  const actionMessage = recordAction(request, {
    by: request.actor ?? systemUser,
    recipient: recipientOf(request, changed),
    conversationId: changed.conversationId,
    type: "message",
    action,
    on: { entity: omit(changed, "quotedMessage"), entityType: "message" },
  });
  if (!isBlocked || request.switches.blockedMessageEvents === "besidesSent") {
    emitMessageChanged(request, { action, changed, actionMessage });
  }
  if (verdict !== undefined) emitDecision(request, changed, verdict);
  if (action === "edited") request.announce(request.app, "messageEdited", { message: changed, verdict });
  return actionMessage;
}

function requireChangeable(request: AppRequest) {
  const message = requireMessage(request);
  ensure(
    message.category !== "action" && message.category !== "call",
    "ERR_MESSAGE_ACTION_NOT_ALLOWED",
    `A message of category ${message.category} cannot be changed.`,
  );
  ensure(
    request.actor === undefined || request.actor.uid === message.sender || isModeratorOf(request, message),
    "ERR_MESSAGE_NOT_A_SENDER",
    `The user ${request.actor?.uid} is not the sender of the message ${message.id}.`,
  );
  return message;
}

/** @see docs/internals/platform/messages.md#editing-and-deleting */
function isModeratorOf({ actor, ...data }: AppRequest, { receiverType, receiver }: Message) {
  return actor !== undefined && receiverType === "group" && isModerator(data, receiver, actor.uid);
}

export function mergeData(request: AppRequest, { category, type, data }: Message, sent: JsonObject) {
  const { entities, mentions: _mentions, ...rest } = data;
  const isEdit = Object.keys(sent).length > 0;
  const isReplaced = isEdit && request.switches.messageChanges === "replace";
  const kept = isReplaced ? pick(rest, "moderation", "reactions") : rest; // the platform's alone
  const merged: JsonObject = { ...kept, ...sent };
  if (isEdit) checkContent(category, type, merged);
  const mentions = mentionedUsers(request, merged.text);
  return {
    ...merged,
    ...defined({ mentions }),
    ...(isJsonObject(entities) && { entities }),
  };
}

function recipientOf(request: AppRequest, message: Message): Recipient {
  const { receiver, conversationId } = message;
  if (message.receiverType === "user") return { type: "user", user: findUserOrStandIn(request, receiver) };
  const group = findGroup(request, receiver) ?? {
    guid: receiver,
    name: receiver,
    type: "public",
    membersCount: 0,
    conversationId,
    createdAt: 0,
    owner: systemUser.uid,
  };
  return { type: "group", group };
}

function actorUid(request: AppRequest) {
  return request.actor?.uid ?? systemUser.uid;
}
