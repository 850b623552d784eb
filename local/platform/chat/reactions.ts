import { badRequest } from "../errors/platform-error.ts";
import { cursorMeta, type Reply, readCursor, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
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
import { userEntity } from "../wire/show.ts";
import { requireActor, requireLiveMessage, requireMessage } from "./message-access.ts";
import { presentMessage } from "./message-view.ts";

const route = appFamily("docs/platform/messages.md#reactions");

/** Declares the reaction family. */
export const reactionRoutes: readonly AppRoute[] = [
  route("list-all-reactions", "GET /messages/{id}/reactions", (request) => list(request, undefined), {
    onBehalfOf: "optional",
    assumptions: ["affix, id and limit (default 100) page, as `meta.next` suggests."],
  }),
  route(
    "get-message-reactions",
    "GET /messages/{id}/reactions/{reaction}",
    (request) => list(request, request.param("reaction")),
    {
      onBehalfOf: "optional",
      assumptions: ["affix, id and limit (default 100) page, as `meta.next` suggests."],
    },
  ),
  route("add-message-reactions", "POST /messages/{id}/reactions/{reaction}", add, {
    onBehalfOf: "required",
    assumptions: ["The same reaction again succeeds without an event.", "`updatedAt` of the message stays."],
  }),
  route("remove-message-reactions", "DELETE /messages/{id}/reactions/{reaction}", remove, {
    onBehalfOf: "required",
    assumptions: ["A reaction that is not there is taken back without an event."],
  }),
];

function list(request: AppRequest, reaction: string | undefined): Reply {
  const message = requireMessage(request);
  const cursor = readCursor(request.query, 100);
  if (cursor.id !== undefined && !/^\d{1,15}$/.test(cursor.id)) {
    throw badRequest({ id: "The id must be the id of a reaction." });
  }
  const isBackwards = cursor.affix === "prepend";
  const reactions = listReactions(request, {
    messageId: message.id,
    ...defined({ reaction }),
    id: cursor.id,
    limit: cursor.limit,
    isBackwards,
  });
  return reply(
    reactions.map((each) => show(request, each)),
    {
      meta: cursorMeta(cursor, reactions, ({ id }) => ({ id })),
    },
  );
}

function add(request: AppRequest): Reply {
  return change(request, "message_reaction_added", (key) =>
    putReaction(request, { ...key, reactedAt: nowSeconds(request) }),
  );
}

function remove(request: AppRequest): Reply {
  return change(request, "message_reaction_removed", (key) => dropReaction(request, key));
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
    request.emit(trigger, { reaction: show(request, reaction) });
    if (trigger === "message_reaction_added")
      request.announce(request.app, "reactionAdded", { message, reaction, by });
  }
  return reply(presentMessage(request, changed));
}

function recount(request: AppRequest, message: Message): Message {
  const reactions = countReactions(request, message.id);
  const { reactions: _before, ...data } = message.data;
  const changed = { ...message, data: reactions.length === 0 ? data : { ...data, reactions } };
  putMessage(request, changed);
  return changed;
}

function show(request: AppRequest, reaction: Reaction): JsonObject {
  const user = findUser(request, reaction.uid);
  return {
    ...reaction,
    reactedBy: userEntity(user ?? { ...systemUser, uid: reaction.uid, name: reaction.uid }).entity,
  };
}
