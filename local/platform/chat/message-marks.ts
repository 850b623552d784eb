import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import {
  addInteraction,
  addPin,
  countPins,
  removePin,
  savedTimes,
  saveMessage,
  unsaveMessage,
} from "../store/message-marks.ts";
import { type Message, putMessage } from "../store/messages.ts";
import { systemUser } from "../store/users.ts";
import { requireActor, requireLiveMessage, requireMessage } from "./message-access.ts";
import { presentMessage } from "./message-view.ts";

const route = appFamily("docs/platform/messages.md#pins-and-saves");

/** Declares pins, saves and interactions of messages. */
export const messageMarkRoutes: readonly AppRoute[] = [
  route("pin-message", "POST /messages/{id}/pin", pin, {
    onBehalfOf: "optional",
    assumptions: [
      "Pinning again succeeds, keeps the first pin and fires nothing.",
      "Pins of the app and of users share the limit of 100.",
      "A deleted message is no longer pinned.",
    ],
  }),
  route("unpin-message", "DELETE /messages/{id}/pin", unpin, {
    onBehalfOf: "optional",
    assumptions: ["Unpinning what is not pinned fires nothing."],
  }),
  route("save-message", "POST /messages/{id}/save", save, { onBehalfOf: "required" }),
  route("unsave-message", "DELETE /messages/{id}/save", unsave, { onBehalfOf: "required" }),
  route("mark-message-as-interacted", "PATCH /messages/{id}/interacted", interact, {
    input: { needs: { items: ["interactions"] } },
    onBehalfOf: "required",
    assumptions: ["Messages of every category may be marked: interactive ones cannot be sent by REST."],
  }),
];

function pin(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  if (message.pinnedAt !== undefined) return reply(presentMessage(request, message));
  if (countPins(request, message.conversationId) >= maxPinsPerConversation) {
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
    putMessage(request, pinned);
    addPin(request, message);
  });
  request.emit("message_pinned", { message: pinned });
  return reply(presentMessage(request, pinned));
}

function unpin(request: AppRequest): Reply {
  const message = requireMessage(request);
  const { pinnedBy: _pinnedBy, pinnedAt, ...unpinned } = message;
  if (pinnedAt === undefined) return reply(presentMessage(request, message));
  request.db.transaction(() => {
    putMessage(request, unpinned);
    removePin(request, message);
  });
  const shown = {
    ...unpinned,
    unpinnedBy: request.actor?.uid ?? systemUser.uid,
    unpinnedAt: nowSeconds(request),
  };
  // The shapes were seen live (docs/platform/events.md#pinned-messages).
  request.emit("message_unpinned", { message: shown });
  return reply(presentMessage(request, unpinned));
}

function save(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  const { uid } = requireActor(request);
  const saved = savedTimes(request, uid);
  if (!saved.has(message.id) && saved.size >= maxSavesPerUser) {
    throw new PlatformError(
      "ERR_SAVED_MESSAGES_LIMIT_EXCEEDED",
      `The user ${uid} has saved ${maxSavesPerUser} messages already.`,
    );
  }
  saveMessage(request, { uid, messageId: message.id, at: nowSeconds(request) });
  return reply(presentMessage(request, message));
}

function unsave(request: AppRequest): Reply {
  const message = requireMessage(request);
  unsaveMessage(request, requireActor(request).uid, message.id);
  return reply(presentMessage(request, message));
}

function interact(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  const { uid } = requireActor(request);
  const at = nowSeconds(request);
  request.db.transaction(() => {
    for (const element of optionalTexts(request.body, "interactions") ?? []) {
      addInteraction(request, { messageId: message.id, uid, element, at });
    }
  });
  return acknowledge(`The message id ${message.id} has been marked as interacted for the user ${uid}.`);
}

// See docs/platform/ids-and-limits.md#quantities.
const maxPinsPerConversation = 100;
const maxSavesPerUser = 100;
