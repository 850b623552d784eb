import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
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
    method: "PATCH",
    path: "/messages/{id}/interacted",
    onBehalfOf: "required",
    assumptions: ["Messages of every category may be marked: interactive ones cannot be sent by REST."],
    handler: interact,
  },
];

function pin(call: AppCall): Reply {
  const message = requireLiveMessage(call);
  if (message.pinnedAt !== undefined) return reply(presentMessage(call, message));
  if (countPins(call.db, call.app.appId, message.conversationId) >= maxPinsPerConversation) {
    throw new PlatformError(
      "ERR_PINNED_MESSAGES_LIMIT_EXCEEDED",
      `The conversation ${message.conversationId} holds ${maxPinsPerConversation} pinned messages already.`,
    );
  }
  const pinned: Message = {
    ...message,
    pinnedBy: call.actor?.uid ?? systemUser.uid,
    pinnedAt: nowSeconds(call),
  };
  call.db.transaction(() => {
    putMessage(call.db, call.app.appId, pinned);
    addPin(call.db, call.app.appId, message);
  });
  emitPinEvent(call, call.app, "message_pinned", pinned);
  return reply(presentMessage(call, pinned));
}

function unpin(call: AppCall): Reply {
  const message = requireMessage(call);
  const { pinnedBy: _pinnedBy, pinnedAt, ...unpinned } = message;
  if (pinnedAt === undefined) return reply(presentMessage(call, message));
  call.db.transaction(() => {
    putMessage(call.db, call.app.appId, unpinned);
    removePin(call.db, call.app.appId, message);
  });
  emitPinEvent(call, call.app, "message_unpinned", {
    ...unpinned,
    unpinnedBy: call.actor?.uid ?? systemUser.uid,
    unpinnedAt: nowSeconds(call),
  });
  return reply(presentMessage(call, unpinned));
}

function save(call: AppCall): Reply {
  const message = requireLiveMessage(call);
  const { uid } = requireActor(call);
  const saved = savedTimes(call.db, call.app.appId, uid);
  if (!saved.has(message.id) && saved.size >= maxSavesPerUser) {
    throw new PlatformError(
      "ERR_SAVED_MESSAGES_LIMIT_EXCEEDED",
      `The user ${uid} has saved ${maxSavesPerUser} messages already.`,
    );
  }
  saveMessage(call.db, call.app.appId, { uid, messageId: message.id, at: nowSeconds(call) });
  return reply(presentMessage(call, message));
}

function unsave(call: AppCall): Reply {
  const message = requireMessage(call);
  unsaveMessage(call.db, call.app.appId, requireActor(call).uid, message.id);
  return reply(presentMessage(call, message));
}

function interact(call: AppCall): Reply {
  const message = requireLiveMessage(call);
  const { uid } = requireActor(call);
  const at = nowSeconds(call);
  call.db.transaction(() => {
    for (const element of optionalTexts(call.body, "interactions") ?? []) {
      addInteraction(call.db, call.app.appId, { messageId: message.id, uid, element, at });
    }
  });
  return acknowledge(`The message id ${message.id} has been marked as interacted for the user ${uid}.`);
}

// See docs/platform/ids-and-limits.md#quantities.
const maxPinsPerConversation = 100;
const maxSavesPerUser = 100;
