import { badRequest } from "../errors/failures.ts";
import { readCursor } from "../http/cursor.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type Message, putMessage } from "../store/messages.ts";
import {
  countReactions,
  dropReaction,
  listReactions,
  putReaction,
  type Reaction,
} from "../store/reactions.ts";
import { findUser, systemUser } from "../store/users.ts";
import { emitReactionEvent } from "../webhooks/reaction-events.ts";
import { userEntity } from "../wire/show.ts";
import { requireActor, requireLiveMessage, requireMessage } from "./message-access.ts";
import { presentMessage } from "./message-view.ts";

const base = { fidelity: "documented", source: "docs/platform/messages.md#reactions" } as const;
const many = "/messages/{id}/reactions";
const one = "/messages/{id}/reactions/{reaction}";

/** Declares the reaction family. */
export const reactionRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "list-all-reactions",
    method: "GET",
    path: many,
    onBehalfOf: "optional",
    assumptions: ["affix, id and limit (default 100) page, as `meta.next` suggests."],
    handler: (request) => list(request, undefined),
  },
  {
    ...base,
    operationId: "get-message-reactions",
    method: "GET",
    path: one,
    onBehalfOf: "optional",
    assumptions: ["affix, id and limit (default 100) page, as `meta.next` suggests."],
    handler: (request) => list(request, request.param("reaction")),
  },
  {
    ...base,
    operationId: "add-message-reactions",
    method: "POST",
    path: one,
    onBehalfOf: "required",
    assumptions: ["The same reaction again succeeds without an event.", "`updatedAt` of the message stays."],
    handler: add,
  },
  {
    ...base,
    operationId: "remove-message-reactions",
    method: "DELETE",
    path: one,
    onBehalfOf: "required",
    assumptions: ["A reaction that is not there is taken back without an event."],
    handler: remove,
  },
];

function list(request: AppRequest, reaction: string | undefined): Reply {
  const message = requireMessage(request);
  const cursor = readCursor(request.query, 100);
  if (cursor.id !== undefined && !/^\d{1,15}$/.test(cursor.id)) {
    throw badRequest({ id: "The id must be the id of a reaction." });
  }
  const isBackwards = cursor.affix === "prepend";
  const reactions = listReactions(request.db, request.app.appId, {
    messageId: message.id,
    ...(reaction === undefined ? {} : { reaction }),
    id: cursor.id,
    limit: cursor.limit,
    isBackwards,
  });
  const edge = isBackwards ? reactions.at(0) : reactions.at(-1);
  return reply(
    reactions.map((each) => show(request, each)),
    {
      meta: {
        current: { limit: cursor.limit, count: reactions.length },
        ...(edge === undefined ? {} : { next: { affix: cursor.affix, id: edge.id } }),
      },
    },
  );
}

function add(request: AppRequest): Reply {
  return change(request, "message_reaction_added", (key) =>
    putReaction(request.db, request.app.appId, { ...key, reactedAt: nowSeconds(request) }),
  );
}

function remove(request: AppRequest): Reply {
  return change(request, "message_reaction_removed", (key) =>
    dropReaction(request.db, request.app.appId, key),
  );
}

function change(
  request: AppRequest,
  trigger: "message_reaction_added" | "message_reaction_removed",
  apply: (key: { messageId: string; reaction: string; uid: string }) => Reaction | undefined,
): Reply {
  const message = requireLiveMessage(request);
  const by = requireActor(request);
  const key = { messageId: message.id, reaction: request.param("reaction"), uid: by.uid };
  const { reaction, changed } = request.db.transaction(() => {
    const applied = apply(key);
    return { reaction: applied, changed: applied === undefined ? message : recount(request, message) };
  });
  if (reaction !== undefined) {
    emitReactionEvent(request, request.app, trigger, show(request, reaction));
    if (trigger === "message_reaction_added")
      request.announce(request.app, "reactionAdded", { message, reaction, by });
  }
  return reply(presentMessage(request, changed));
}

function recount(request: AppRequest, message: Message): Message {
  const reactions = countReactions(request.db, request.app.appId, message.id);
  const { reactions: _before, ...data } = message.data;
  const changed = { ...message, data: reactions.length === 0 ? data : { ...data, reactions } };
  putMessage(request.db, request.app.appId, changed);
  return changed;
}

function show(request: AppRequest, reaction: Reaction): JsonObject {
  const user = findUser(request.db, request.app.appId, reaction.uid);
  return {
    ...reaction,
    reactedBy: userEntity(user ?? { ...systemUser, uid: reaction.uid, name: reaction.uid }).entity,
  };
}
