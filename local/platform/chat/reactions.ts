import { badRequest } from "../errors/failures.ts";
import { readCursor } from "../http/cursor.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type Message, putMessage } from "../store/messages.ts";
import {
  addReaction,
  countReactions,
  listReactions,
  type Reaction,
  removeReaction,
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
    handler: (call) => list(call, undefined),
  },
  {
    ...base,
    operationId: "get-message-reactions",
    method: "GET",
    path: one,
    onBehalfOf: "optional",
    assumptions: ["affix, id and limit (default 100) page, as `meta.next` suggests."],
    handler: (call) => list(call, call.param("reaction")),
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

function list(call: AppCall, reaction: string | undefined): Reply {
  const message = requireMessage(call);
  const cursor = readCursor(call.query, 100);
  if (cursor.id !== undefined && !/^\d{1,15}$/.test(cursor.id)) {
    throw badRequest({ id: "The id must be the id of a reaction." });
  }
  const isBackwards = cursor.affix === "prepend";
  const reactions = listReactions(call.db, call.app.appId, {
    messageId: message.id,
    ...(reaction === undefined ? {} : { reaction }),
    id: cursor.id,
    limit: cursor.limit,
    isBackwards,
  });
  const edge = isBackwards ? reactions.at(0) : reactions.at(-1);
  return reply(
    reactions.map((each) => show(call, each)),
    {
      meta: {
        current: { limit: cursor.limit, count: reactions.length },
        ...(edge === undefined ? {} : { next: { affix: cursor.affix, id: edge.id } }),
      },
    },
  );
}

function add(call: AppCall): Reply {
  return change(call, "message_reaction_added", (key) =>
    addReaction(call.db, call.app.appId, { ...key, reactedAt: nowSeconds(call) }),
  );
}

function remove(call: AppCall): Reply {
  return change(call, "message_reaction_removed", (key) => removeReaction(call.db, call.app.appId, key));
}

function change(
  call: AppCall,
  trigger: "message_reaction_added" | "message_reaction_removed",
  apply: (key: { messageId: string; reaction: string; uid: string }) => Reaction | undefined,
): Reply {
  const message = requireLiveMessage(call);
  const by = requireActor(call);
  const key = { messageId: message.id, reaction: call.param("reaction"), uid: by.uid };
  const { reaction, changed } = call.db.transaction(() => {
    const applied = apply(key);
    return { reaction: applied, changed: applied === undefined ? message : recount(call, message) };
  });
  if (reaction !== undefined) {
    emitReactionEvent(call, call.app, trigger, show(call, reaction));
    if (trigger === "message_reaction_added")
      call.announce(call.app, "reactionAdded", { message, reaction, by });
  }
  return reply(presentMessage(call, changed));
}

function recount(call: AppCall, message: Message): Message {
  const reactions = countReactions(call.db, call.app.appId, message.id);
  const { reactions: _before, ...data } = message.data;
  const changed = { ...message, data: reactions.length === 0 ? data : { ...data, reactions } };
  putMessage(call.db, call.app.appId, changed);
  return changed;
}

function show(call: AppCall, reaction: Reaction): JsonObject {
  const user = findUser(call.db, call.app.appId, reaction.uid);
  return {
    ...reaction,
    reactedBy: userEntity(user ?? { ...systemUser, uid: reaction.uid, name: reaction.uid }).entity,
  };
}
