import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { addInteraction, addPin, countPins, removePin } from "../store/message-marks.ts";
import { type Message, putMessage } from "../store/messages.ts";
import { savedTimes, saveMessage, unsaveMessage } from "../store/saved-messages.ts";
import { systemUser } from "../store/users.ts";
import { emitPinEvent } from "../webhooks/pin-events.ts";
import { requireActor, requireLiveMessage, requireMessage } from "./message-access.ts";
import { presentMessage } from "./message-view.ts";

const base = { fidelity: "documented", source: "docs/platform/messages.md#pins-and-saves" } as const;

/** Declares pins, saves and interactions of messages. */
export const messageMarkRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "pin-message",
    method: "POST",
    path: "/messages/{id}/pin",
    onBehalfOf: "optional",
    assumptions: [
      "Pinning again succeeds, keeps the first pin and fires nothing.",
      "Pins of the app and of users share the limit of 100.",
      "A deleted message is no longer pinned.",
    ],
    handler: pin,
  },
  {
    ...base,
    operationId: "unpin-message",
    method: "DELETE",
    path: "/messages/{id}/pin",
    onBehalfOf: "optional",
    assumptions: ["Unpinning what is not pinned fires nothing."],
    handler: unpin,
  },
  {
    ...base,
    operationId: "save-message",
    method: "POST",
    path: "/messages/{id}/save",
    onBehalfOf: "required",
    handler: save,
  },
  {
    ...base,
    operationId: "unsave-message",
    method: "DELETE",
    path: "/messages/{id}/save",
    onBehalfOf: "required",
    handler: unsave,
  },
  {
    ...base,
    operationId: "mark-message-as-interacted",
    input: { needs: { items: ["interactions"] } },
    method: "PATCH",
    path: "/messages/{id}/interacted",
    onBehalfOf: "required",
    assumptions: ["Messages of every category may be marked: interactive ones cannot be sent by REST."],
    handler: interact,
  },
];

function pin(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  if (message.pinnedAt !== undefined) return reply(presentMessage(request, message));
  if (countPins(request.db, request.app.appId, message.conversationId) >= maxPinsPerConversation) {
    throw new PlatformError(
      "ERR_PINNED_MESSAGES_LIMIT_EXCEEDED",
      `The conversation ${message.conversationId} holds ${maxPinsPerConversation} pinned messages already.`,
    );
  }
  const pinned: Message = {
    ...message,
    pinnedBy: request.actor?.uid ?? systemUser.uid,
    pinnedAt: nowSeconds(request),
  };
  request.db.transaction(() => {
    putMessage(request.db, request.app.appId, pinned);
    addPin(request.db, request.app.appId, message);
  });
  emitPinEvent(request, request.app, "message_pinned", pinned);
  return reply(presentMessage(request, pinned));
}

function unpin(request: AppRequest): Reply {
  const message = requireMessage(request);
  const { pinnedBy: _pinnedBy, pinnedAt, ...unpinned } = message;
  if (pinnedAt === undefined) return reply(presentMessage(request, message));
  request.db.transaction(() => {
    putMessage(request.db, request.app.appId, unpinned);
    removePin(request.db, request.app.appId, message);
  });
  emitPinEvent(request, request.app, "message_unpinned", {
    ...unpinned,
    unpinnedBy: request.actor?.uid ?? systemUser.uid,
    unpinnedAt: nowSeconds(request),
  });
  return reply(presentMessage(request, unpinned));
}

function save(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  const { uid } = requireActor(request);
  const saved = savedTimes(request.db, request.app.appId, uid);
  if (!saved.has(message.id) && saved.size >= maxSavesPerUser) {
    throw new PlatformError(
      "ERR_SAVED_MESSAGES_LIMIT_EXCEEDED",
      `The user ${uid} has saved ${maxSavesPerUser} messages already.`,
    );
  }
  saveMessage(request.db, request.app.appId, { uid, messageId: message.id, at: nowSeconds(request) });
  return reply(presentMessage(request, message));
}

function unsave(request: AppRequest): Reply {
  const message = requireMessage(request);
  unsaveMessage(request.db, request.app.appId, requireActor(request).uid, message.id);
  return reply(presentMessage(request, message));
}

function interact(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  const { uid } = requireActor(request);
  const at = nowSeconds(request);
  request.db.transaction(() => {
    for (const element of optionalTexts(request.body, "interactions") ?? []) {
      addInteraction(request.db, request.app.appId, { messageId: message.id, uid, element, at });
    }
  });
  return acknowledge(`The message id ${message.id} has been marked as interacted for the user ${uid}.`);
}

// See docs/platform/ids-and-limits.md#quantities.
const maxPinsPerConversation = 100;
const maxSavesPerUser = 100;
