import { acknowledge, pageMeta, type Reply, readPage, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { selectBanned } from "../store/user-lists.ts";
import { systemUser } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { requireGroup } from "./group-lookup.ts";
import { requireClearance } from "./group-rights.ts";
import { banUser, unbanUser } from "./membership.ts";
import { requireUser } from "./user-lookup.ts";

const route = appFamily("docs/platform/users-and-groups.md#banned-users");

/** Declares the banned user family. */
export const bannedUserRoutes: readonly AppRoute[] = [
  route("ban-group-user", "POST /groups/{guid}/bannedusers/{uid}", ban, {
    onBehalfOf: "optional",
    assumptions: [
      "A user who is no member may be banned.",
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the banned member's.",
    ],
  }),
  route("unban-group-user", "DELETE /groups/{guid}/bannedusers/{uid}", unban, {
    onBehalfOf: "optional",
    assumptions: ["The text says unbanned (the printed example repeats the ban's)."],
  }),
  route("list-banned-group-users", "GET /groups/{guid}/bannedusers", list, {
    onBehalfOf: "unsupported",
    assumptions: [
      "Ordered by uid.",
      "`conversationId`, printed though nobody acts, is that with app_system.",
    ],
  }),
];

function ban(request: AppRequest): Reply {
  const group = requireGroup(request);
  const user = requireUser(request);
  requireClearance(request, group, user.uid);
  request.db.transaction(() => banUser(request, group.guid, user));
  return acknowledge(`The user with uid ${user.uid} has been banned from the Group with ${group.guid}.`);
}

function unban(request: AppRequest): Reply {
  const group = requireGroup(request);
  const user = requireUser(request);
  requireClearance(request, group, user.uid);
  request.db.transaction(() => unbanUser(request, group.guid, user));
  return acknowledge(`The user with uid ${user.uid} has been unbanned from the Group with ${group.guid}.`);
}

function list(request: AppRequest): Reply {
  const { guid } = requireGroup(request);
  const page = readPage(request.query);
  const { users, total } = selectBanned(request, guid, page);
  return reply(
    users.map((user) => showUser(user, { withTags: false, viewerUid: systemUser.uid })),
    { meta: pageMeta(page, total, users.length) },
  );
}
