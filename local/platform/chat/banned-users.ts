import { pageMeta, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { selectBanned } from "../store/user-lists.ts";
import { systemUser } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { requireGroup } from "./group-lookup.ts";
import { requireClearance } from "./group-rights.ts";
import { banUser, unbanUser } from "./membership.ts";
import { requireUser } from "./user-lookup.ts";

const base = { fidelity: "documented", source: "docs/platform/users-and-groups.md#banned-users" } as const;
const one = "/groups/{guid}/bannedusers/{uid}";

/** Declares the banned user family. */
export const bannedUserRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "ban-group-user",
    method: "POST",
    path: one,
    onBehalfOf: "optional",
    assumptions: [
      "A user who is no member may be banned.",
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the banned member's.",
    ],
    handler: ban,
  },
  {
    ...base,
    operationId: "unban-group-user",
    method: "DELETE",
    path: one,
    onBehalfOf: "optional",
    assumptions: ["The text says unbanned (the printed example repeats the ban's)."],
    handler: unban,
  },
  {
    ...base,
    operationId: "list-banned-group-users",
    method: "GET",
    path: "/groups/{guid}/bannedusers",
    onBehalfOf: "unsupported",
    assumptions: [
      "Ordered by uid.",
      "`conversationId`, printed though nobody acts, is that with app_system.",
    ],
    handler: list,
  },
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
  const { users, total } = selectBanned(request.db, request.app.appId, guid, page);
  return reply(
    users.map((user) => showUser(user, { withTags: false, viewerUid: systemUser.uid })),
    { meta: pageMeta(page, total, users.length) },
  );
}
