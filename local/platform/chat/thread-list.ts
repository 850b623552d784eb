import { badRequest } from "../errors/failures.ts";
import { readCursor } from "../http/cursor.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import type { Condition } from "../store/condition.ts";
import { mentioning, repliesTo } from "../store/message-conditions.ts";
import { countMessages, type Message } from "../store/messages.ts";
import { unreadBy } from "../store/reader-conditions.ts";
import { selectThreads, type ThreadFilter } from "../store/thread-lists.ts";
import { presentMessages } from "./message-view.ts";

/** Answers GET /threads: parents with their last reply, those of the acting user's conversations when there is one. */
export function listThreads(request: AppRequest): Reply {
  const cursor = readCursor(request.query, 100);
  const isBackwards = cursor.affix === "prepend";
  const threads = selectThreads(request.db, request.app.appId, {
    beyond: request.query.integer("updatedAt"),
    reader: readReader(request),
    isBackwards,
    limit: cursor.limit,
  });
  const parents = threads.map(({ parent }) => parent);
  const edge = isBackwards ? threads.at(0) : threads.at(-1);
  const shown = presentMessages(request, parents).map((parent, index) => ({
    ...parent,
    ...counts(request, parents[index]),
  }));
  return reply(shown, {
    meta: {
      current: { limit: cursor.limit, count: shown.length },
      ...(edge === undefined ? {} : { next: { affix: cursor.affix, updatedAt: edge.updatedAt } }),
    },
  });
}

function readReader({ actor, query }: AppRequest): ThreadFilter["reader"] {
  const onlyOwn = query.flag("participatedByMe") === true;
  if (actor !== undefined) return { uid: actor.uid, onlyOwn };
  if (onlyOwn) throw badRequest({ participatedByMe: "participatedByMe needs the onBehalfOf header." });
  return undefined;
}

function counts(request: AppRequest, parent: Message | undefined): JsonObject {
  if (request.actor === undefined || parent === undefined) return {};
  const { uid } = request.actor;
  const unread = [repliesTo(parent.id), ...unreadBy(uid)];
  const count = (conditions: Condition[]) => countMessages(request.db, request.app.appId, conditions);
  return {
    ...(request.query.flag("withUnreadReplyCount") === true ? { unreadReplyCount: count(unread) } : {}),
    ...(request.query.flag("withMentionCount") === true
      ? { mentionCount: count([...unread, mentioning(uid)]) }
      : {}),
  };
}
