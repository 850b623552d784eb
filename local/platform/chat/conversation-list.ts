import { badRequest } from "../errors/failures.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { type ConversationFilter, selectConversations } from "../store/conversation-lists.ts";
import { presentConversations } from "./conversation-view.ts";

/**
 * Answers GET /conversations: those of the acting user, or of all users by uid.
 * @see docs/platform/conversations.md#listing-conversations
 */
export function listConversations(request: AppRequest): Reply {
  const page = readPage(request.query);
  const { conversations, total } = selectConversations(
    request.db,
    request.app.appId,
    readFilter(request),
    page,
  );
  const shown = presentConversations(request, conversations, {
    withTags: request.query.flag("withTags") === true,
    withPeerTags: request.query.flag("withUserAndGroupTags") === true,
  });
  return reply(shown, { meta: pageMeta(page, total, shown.length) });
}

function readFilter({ query, actor }: AppRequest): ConversationFilter {
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
