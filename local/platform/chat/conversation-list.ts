import { badRequest } from "../errors/failures.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { type ConversationFilter, selectConversations } from "../store/conversation-lists.ts";
import { presentConversations } from "./conversation-view.ts";

/**
 * Answers GET /conversations: those of the acting user, or of all users by uid.
 * @see docs/platform/conversations.md#listing-conversations
 */
export function listConversations(call: AppCall): Reply {
  const page = readPage(call.query);
  const { conversations, total } = selectConversations(call.db, call.app.appId, readFilter(call), page);
  const shown = presentConversations(call, conversations, {
    withTags: call.query.flag("withTags") === true,
    withPeerTags: call.query.flag("withUserAndGroupTags") === true,
  });
  return reply(shown, { meta: pageMeta(page, total, shown.length) });
}

function readFilter({ query, actor }: AppCall): ConversationFilter {
  const type = query.text("conversationType");
  if (type !== undefined && type !== "user" && type !== "group") {
    throw badRequest({ conversationType: "The conversationType must be user or group." });
  }
  return {
    uid: actor?.uid,
    type,
    isUnread: query.flag("unread"),
    tags: query.list("tags"),
    userTags: query.list("userTags"),
    groupTags: query.list("groupTags"),
    // An empty key searches for nothing.
    search: query.text("searchKey") || undefined,
  };
}
