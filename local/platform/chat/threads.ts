import { ensure, ensureField } from "../errors/platform-error.ts";
import { type AppRequest, appFamily, cursorMeta, readCursor, readPage, reply } from "../http/route.ts";
import { deleteRows } from "../store/database.ts";
import { readableBy } from "../store/message-access.ts";
import { beyondId, mentioning, repliesTo, unreadBy } from "../store/message-conditions.ts";
import { countMessages, type Message, selectMessagePage } from "../store/messages.ts";
import type { Condition } from "../store/query.ts";
import { selectThreads, subscribe } from "../store/threads.ts";
import { sendFrom } from "./message-send.ts";
import { presentMessages, requireActor, requireLiveMessage, requireMessage } from "./message-view.ts";
import { messagePosition } from "./messages.ts";

export const threadRoutes = appFamily({
  "send-thread-message": {
    checksBody: true,
    async handler(request) {
      const parent = requireMessage(request);
      ensure(
        parent.category !== "action" && parent.category !== "call",
        "ERR_WRONG_MESSAGE_THREAD_CATEGORY",
        `A message of category ${parent.category} cannot start a thread.`,
      );
      ensure(
        parent.parentId === undefined,
        "ERR_MESSAGE_THREAD_NESTING",
        `The message ${parent.id} is a reply itself and cannot start a thread.`,
      );
      return await sendFrom(request, requireActor(request), requireLiveMessage(request));
    },
  },
  "list-all-thread-messages"(request) {
    const parent = requireMessage(request);
    const page = readPage(request.query);
    const affix = request.query.text("affix") === "prepend" ? "prepend" : "append";
    const replies = selectMessagePage(request, {
      conditions: [repliesTo(parent.id), ...readable(request), ...beyondId(affix, request.query.text("id"))],
      affix,
      limit: page.limit,
      offset: page.offset,
    });
    const cursor = { affix, limit: page.limit, id: undefined } as const;
    return reply(presentMessages(request, replies), { meta: cursorMeta(cursor, replies, messagePosition) });
  },
  "list-all-threads"(request) {
    const cursor = readCursor(request.query, 100);
    const isBackwards = cursor.affix === "prepend";
    const threads = selectThreads(request, {
      beyond: request.query.integer("updatedAt"),
      reader: readReader(request),
      isBackwards,
      limit: cursor.limit,
    });
    const parents = threads.map(({ parent }) => parent);
    const shown = presentMessages(request, parents).map((parent, index) => ({
      ...parent,
      ...counts(request, parents[index]),
    }));
    return reply(shown, {
      meta: cursorMeta(cursor, threads, ({ updatedAt }) => ({ updatedAt })),
    });
  },
  "subscribe-thread"(request) {
    subscribe(request, requireLiveMessage(request).id, [requireActor(request).uid]);
    return { success: true };
  },
  "unsubscribe-thread"(request) {
    const key = { parentId: requireMessage(request).id, uid: requireActor(request).uid };
    deleteRows(request, "thread_subscribers", key);
    return { success: true };
  },
});

function readable({ actor }: AppRequest) {
  return actor === undefined ? [] : [readableBy(actor.uid)];
}

function readReader({ actor, query }: AppRequest) {
  const onlyOwn = query.flag("participatedByMe") === true;
  if (actor !== undefined) return { uid: actor.uid, onlyOwn };
  ensureField(!onlyOwn, "participatedByMe", "participatedByMe needs the onBehalfOf header.");
  return undefined;
}

function counts(request: AppRequest, parent: Message | undefined) {
  if (request.actor === undefined || parent === undefined) return {};
  const { uid } = request.actor;
  const unread = [repliesTo(parent.id), ...unreadBy(uid), ...readable(request)];
  const count = (conditions: Condition[]) => countMessages(request, conditions);
  return {
    ...(request.query.flag("withUnreadReplyCount") && { unreadReplyCount: count(unread) }),
    ...(request.query.flag("withMentionCount") && {
      mentionCount: count([...unread, mentioning(uid)]),
    }),
  };
}
