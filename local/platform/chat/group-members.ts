import { choice } from "../http/fields.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { memberScopes } from "../store/groups.ts";
import { selectMembers } from "../store/user-lists.ts";
import { showUser } from "../wire/show.ts";
import { requireGroup } from "./group-lookup.ts";
import { requireClearance, requireGroupScope, requireMember } from "./group-rights.ts";
import { addMembers, readMemberLists } from "./member-add.ts";
import { changeScope, exitGroup } from "./membership.ts";
import { requireUser } from "./user-lookup.ts";

const base = { fidelity: "documented", source: "docs/platform/users-and-groups.md#members" } as const;

/** Declares the group member family. */
export const groupMemberRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "add-group-members",
    method: "POST",
    path: "/groups/{guid}/members",
    onBehalfOf: "optional",
    assumptions: [
      "With onBehalfOf only an admin may add.",
      "A banned user cannot be added: ERR_BANNED_GROUPMEMBER for that uid.",
      "`usersToBan` fires group_member_banned.",
    ],
    handler: add,
  },
  {
    ...base,
    operationId: "list-group-members",
    method: "GET",
    path: "/groups/{guid}/members",
    onBehalfOf: "unsupported",
    handler: list,
  },
  {
    ...base,
    operationId: "change-group-member-scope",
    method: "PUT",
    path: "/groups/{guid}/members/{uid}",
    onBehalfOf: "optional",
    assumptions: [
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the member's old and new one.",
      "The action message of a scope change has the action `scopeChanged`.",
    ],
    handler: change,
  },
  {
    ...base,
    operationId: "kick-group-member",
    method: "DELETE",
    path: "/groups/{guid}/members/{uid}",
    onBehalfOf: "optional",
    assumptions: [
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the member's; the owner may kick all.",
      "The action message has the action `kicked`.",
    ],
    handler: kick,
  },
];

function add(call: AppCall): Reply {
  const group = requireGroup(call);
  const lists = readMemberLists(call.body);
  requireGroupScope(call, group, "admin");
  return reply(call.db.transaction(() => addMembers(call, group.guid, lists)));
}

function change(call: AppCall): Reply {
  const group = requireGroup(call);
  const user = requireUser(call);
  const scope = choice(call.body, "scope", memberScopes) ?? "participant";
  requireMember(call, group.guid, user.uid);
  requireClearance(call, group, user.uid, "ERR_GROUP_NO_SCOPE_CLEARANCE");
  if (scope === "admin") requireGroupScope(call, group, "admin");
  const { guid, uid, joinedAt } = call.db.transaction(() => changeScope(call, group.guid, user, scope));
  return reply({ guid, uid, scope, joinedAt });
}

function kick(call: AppCall): Reply {
  const group = requireGroup(call);
  const user = requireUser(call);
  requireMember(call, group.guid, user.uid);
  requireClearance(call, group, user.uid);
  call.db.transaction(() => exitGroup(call, group.guid, user, "kicked"));
  return acknowledge(`The member with ${user.uid} has been kicked from the Group with ${group.guid}.`);
}

function list(call: AppCall): Reply {
  const group = requireGroup(call);
  const page = readPage(call.query);
  const { members, total } = selectMembers(call.db, call.app.appId, group.guid, {
    scopes: call.query.list("scopes"),
    status: call.query.text("status"),
    window: page,
  });
  const last = members.at(-1);
  return reply(
    members.map(({ user, member: { scope, joinedAt } }) => ({
      ...showUser(user, { withTags: false }),
      scope,
      joinedAt,
    })),
    {
      meta: pageMeta(page, total, members.length),
      ...(last === undefined
        ? {}
        : { cursor: { updatedAt: last.user.updatedAt ?? last.user.createdAt, affix: "append" } }),
    },
  );
}
