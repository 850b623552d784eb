import { pageMeta, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { selectBanned } from "../store/user-lists.ts";
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
    assumptions: ["Ordered by uid."],
    handler: list,
  },
];

function ban(call: AppCall): Reply {
  const group = requireGroup(call);
  const user = requireUser(call);
  requireClearance(call, group, user.uid);
  call.db.transaction(() => banUser(call, group.guid, user));
  return acknowledge(`The user with uid ${user.uid} has been banned from the Group with ${group.guid}.`);
}

function unban(call: AppCall): Reply {
  const group = requireGroup(call);
  const user = requireUser(call);
  requireClearance(call, group, user.uid);
  call.db.transaction(() => unbanUser(call, group.guid, user));
  return acknowledge(`The user with uid ${user.uid} has been unbanned from the Group with ${group.guid}.`);
}

function list(call: AppCall): Reply {
  const { guid } = requireGroup(call);
  const page = readPage(call.query);
  const { users, total } = selectBanned(call.db, call.app.appId, guid, page);
  return reply(
    users.map((user) => showUser(user, { withTags: false })),
    { meta: pageMeta(page, total, users.length) },
  );
}
