import { denied } from "../access/enforce.ts";
import { ensure, ensureField } from "../errors/platform-error.ts";
import { textsOf } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, cursorMeta, readCursor, reply } from "../http/route.ts";
import { defined } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { countRows, deleteRows, hasRow, putRow } from "../store/database.ts";
import {
  countReactions,
  dropReaction,
  listReactions,
  putReaction,
  type Reaction,
  recountReactions,
  savedTimes,
} from "../store/message-marks.ts";
import { type Message, putMessage } from "../store/messages.ts";
import { findUserOrStandIn, systemUser } from "../store/users.ts";
import { userEntity } from "../wire/show.ts";
import { isModerator } from "./lookup.ts";
import { requireReachable } from "./message-validate.ts";
import { presentMessage, requireActor, requireLiveMessage, requireMessage } from "./message-view.ts";

export const messageMarkRoutes = appFamily({
  "pin-message"(request) {
    const message = requireLiveMessage(request);
    requireMayPin(request, message);
    if (message.pinnedAt !== undefined) return presentMessage(request, message);
    requireReachable(request, message);
    const { conversationId } = message;
    ensure(
      countRows(request, "pinned_messages", { conversationId }) < maxPinsPerConversation,
      "ERR_PINNED_MESSAGES_LIMIT_EXCEEDED",
      `The conversation ${conversationId} holds ${maxPinsPerConversation} pinned messages already.`,
    );
    const pinned: Message = {
      ...message,
      pinnedBy: request.actor?.uid ?? systemUser.uid,
      pinnedAt: nowSeconds(request),
    };
    putMessage(request, pinned);
    putRow(request, "pinned_messages", { conversationId, messageId: message.id });
    request.emit("message_pinned", { message: pinned });
    return presentMessage(request, pinned);
  },
  "unpin-message"(request) {
    const message = requireMessage(request);
    requireMayPin(request, message);
    const { pinnedBy: _pinnedBy, pinnedAt, ...unpinned } = message;
    if (pinnedAt === undefined) return presentMessage(request, message);
    putMessage(request, unpinned);
    deleteRows(request, "pinned_messages", { messageId: message.id });
    const shown = {
      ...unpinned,
      unpinnedBy: request.actor?.uid ?? systemUser.uid,
      unpinnedAt: nowSeconds(request),
    };
    // The shapes were seen live (docs/internals/platform/events.md#pinned-messages).
    request.emit("message_unpinned", { message: shown });
    return presentMessage(request, unpinned);
  },
  "save-message"(request) {
    const message = requireLiveMessage(request);
    const { uid } = requireActor(request);
    const saved = savedTimes(request, uid);
    ensure(
      saved.has(message.id) || saved.size < maxSavesPerUser,
      "ERR_SAVED_MESSAGES_LIMIT_EXCEEDED",
      `The user ${uid} has saved ${maxSavesPerUser} messages already.`,
    );
    putRow(request, "saved_messages", { uid, messageId: message.id, savedAt: nowSeconds(request) }, "IGNORE");
    return presentMessage(request, message);
  },
  "unsave-message"(request) {
    const message = requireMessage(request);
    deleteRows(request, "saved_messages", { uid: requireActor(request).uid, messageId: message.id });
    return presentMessage(request, message);
  },
  "mark-message-as-interacted"(request) {
    const message = requireLiveMessage(request);
    const { uid } = requireActor(request);
    const at = nowSeconds(request);
    for (const element of textsOf(request.body, "interactions")) {
      putRow(request, "interactions", { messageId: message.id, uid, element, at }, "IGNORE");
    }
    return acknowledge(`The message id ${message.id} has been marked as interacted for the user ${uid}.`);
  },
  "list-all-reactions": (request) => listOf(request, undefined),
  "get-message-reactions": (request) => listOf(request, request.param("reaction")),
  "add-message-reactions": (request) =>
    changeReaction(request, "message_reaction_added", (key) =>
      putReaction(request, { ...key, reactedAt: nowSeconds(request) }),
    ),
  "remove-message-reactions": (request) =>
    changeReaction(request, "message_reaction_removed", (key) => dropReaction(request, key)),
});

function requireMayPin(request: AppRequest, { receiverType, receiver }: Message) {
  if (request.actor === undefined || receiverType !== "group") return;
  if (isModerator(request, receiver, request.actor.uid)) return;
  throw denied("Permission denied for action pinMessage with role participant as per RBAC policy.");
}

// @see docs/internals/platform/ids-and-limits.md#quantities
const maxPinsPerConversation = 100;
const maxSavesPerUser = 100;
const maxReactions = 25;
const maxReactionLength = 45;

function listOf(request: AppRequest, reaction: string | undefined) {
  const message = requireMessage(request);
  const cursor = readCursor(request.query, 100);
  ensureField(
    cursor.id === undefined || /^\d{1,15}$/.test(cursor.id),
    "id",
    "The id must be the id of a reaction.",
  );
  const isBackwards = cursor.affix === "prepend";
  const reactions = listReactions(request, {
    messageId: message.id,
    ...defined({ reaction }),
    id: cursor.id,
    limit: cursor.limit,
    isBackwards,
  });
  return reply(
    reactions.map((each) => showReaction(request, each)),
    {
      meta: cursorMeta(cursor, reactions, ({ id }) => ({ id })),
    },
  );
}

function changeReaction(
  request: AppRequest,
  trigger: "message_reaction_added" | "message_reaction_removed",
  apply: (key: { messageId: string; reaction: string; uid: string }) => Reaction | undefined,
) {
  const message = requireLiveMessage(request);
  const by = requireActor(request);
  const key = { messageId: message.id, reaction: request.param("reaction"), uid: by.uid };
  if (trigger === "message_reaction_added" && !hasRow(request, "reactions", key)) {
    requireReachable(request, message);
    requireRoomForReaction(request, message);
  }
  const reaction = apply(key);
  if (reaction === undefined) return presentMessage(request, message);
  const changed = recountReactions(request, message);
  request.emit(trigger, { reaction: showReaction(request, reaction) });
  if (trigger === "message_reaction_added") {
    request.announce(request.app, "reactionAdded", { message, reaction, by });
  }
  return presentMessage(request, changed);
}

function requireRoomForReaction(request: AppRequest, message: Message) {
  const reaction = request.param("reaction");
  ensureField(
    reaction.length <= maxReactionLength,
    "reaction",
    `The reaction may not be greater than ${maxReactionLength} characters.`,
  );
  const known = countReactions(request, message.id);
  ensureField(
    known.length < maxReactions || known.some((one) => one.reaction === reaction),
    "reaction",
    `The message ${message.id} has ${maxReactions} different reactions already.`,
  );
}

function showReaction(request: AppRequest, reaction: Reaction) {
  return { ...reaction, reactedBy: userEntity(findUserOrStandIn(request, reaction.uid)).entity };
}
