import { PlatformError } from "../errors/platform-error.ts";
import { cursorMeta } from "../http/cursor.ts";
import { readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { repliesTo } from "../store/message-conditions.ts";
import { selectMessages } from "../store/messages.ts";
import { subscribe, unsubscribe } from "../store/threads.ts";
import { requireActor, requireLiveMessage, requireMessage } from "./message-access.ts";
import { idCondition } from "./message-lists.ts";
import { sendFrom } from "./message-send.ts";
import { presentMessages } from "./message-view.ts";
import { listThreads } from "./thread-list.ts";

const base = { fidelity: "documented", source: "docs/platform/messages.md#threads" } as const;
const thread = "/messages/{id}/thread";
const subscription = "/messages/{id}/thread/subscription";

/** Declares the thread family. */
export const threadRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "send-thread-message",
    method: "POST",
    path: thread,
    onBehalfOf: "required",
    assumptions: [
      "Without receiver the reply goes where its parent is.",
      "Action and call messages take no replies: ERR_WRONG_MESSAGE_THREAD_CATEGORY.",
      "The parent's sender is subscribed with the first reply. Deleted replies leave replyCount and lastReply.",
    ],
    handler: sendReply,
  },
  {
    ...base,
    operationId: "list-all-thread-messages",
    method: "GET",
    path: thread,
    onBehalfOf: "optional",
    assumptions: ["Oldest first; affix and id of `meta.next` are taken beside page and perPage."],
    handler: listReplies,
  },
  {
    ...base,
    operationId: "list-all-threads",
    input: { query: { withUnreadReplyCount: "boolean", withMentionCount: "boolean" } },
    method: "GET",
    path: "/threads",
    onBehalfOf: "optional",
    assumptions: [
      "Ordered by the time of the last reply, oldest first; that time is the cursor `updatedAt`.",
      "The counts are named unreadReplyCount and mentionCount and cover unread replies.",
      "participatedByMe holds for who sent the parent or a reply.",
    ],
    handler: listThreads,
  },
  {
    ...base,
    operationId: "subscribe-thread",
    method: "POST",
    path: subscription,
    onBehalfOf: "required",
    handler: follow,
  },
  {
    ...base,
    operationId: "unsubscribe-thread",
    method: "DELETE",
    path: subscription,
    onBehalfOf: "required",
    assumptions: ["Replying or being mentioned later subscribes again."],
    handler: unfollow,
  },
];

async function sendReply(request: AppRequest): Promise<Reply> {
  const parent = requireMessage(request);
  if (parent.category === "action" || parent.category === "call") {
    throw new PlatformError(
      "ERR_WRONG_MESSAGE_THREAD_CATEGORY",
      `A message of category ${parent.category} cannot start a thread.`,
    );
  }
  if (parent.parentId !== undefined) {
    throw new PlatformError(
      "ERR_MESSAGE_THREAD_NESTING",
      `The message ${parent.id} is a reply itself and cannot start a thread.`,
    );
  }
  return await sendFrom(request, requireActor(request), requireLiveMessage(request));
}

function listReplies(request: AppRequest): Reply {
  const parent = requireMessage(request);
  const page = readPage(request.query);
  const affix = request.query.text("affix") === "prepend" ? "prepend" : "append";
  const found = selectMessages(request.db, {
    appId: request.app.appId,
    conditions: [repliesTo(parent.id), ...idCondition(affix, request.query.text("id"))],
    newestFirst: affix === "prepend",
    limit: page.limit,
    offset: page.offset,
  });
  const replies = affix === "prepend" ? found.reverse() : found;
  const cursor = { affix, limit: page.limit, id: undefined } as const;
  return reply(presentMessages(request, replies), { meta: cursorMeta(cursor, replies) });
}

function follow(request: AppRequest): Reply {
  const message = requireLiveMessage(request);
  subscribe(request.db, request.app.appId, message.id, [requireActor(request).uid]);
  return reply({ success: true });
}

function unfollow(request: AppRequest): Reply {
  const message = requireMessage(request);
  unsubscribe(request.db, request.app.appId, message.id, requireActor(request).uid);
  return reply({ success: true });
}
