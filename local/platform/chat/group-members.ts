import { choice } from "../http/fields.ts";
import { acknowledge, changeCursor, pageMeta, type Reply, readPage, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { memberScopes } from "../store/groups.ts";
import { selectMembers } from "../store/user-lists.ts";
import { systemUser } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import { requireGroup } from "./group-lookup.ts";
import { requireClearance, requireGroupScope, requireMember } from "./group-rights.ts";
import { addListedMembers, readMemberLists } from "./member-add.ts";
import { changeMemberScope, exitGroup } from "./membership.ts";
import { requireUser } from "./user-lookup.ts";

const route = appFamily("docs/platform/users-and-groups.md#members");

/** Declares the group member family. */
export const groupMemberRoutes: readonly AppRoute[] = [
  route("add-group-members", "POST /groups/{guid}/members", add, {
    input: { needs: { items: ["admins", "moderators", "participants", "usersToBan"] } },
    onBehalfOf: "optional",
    assumptions: [
      "With onBehalfOf only an admin may add.",
      "A banned user cannot be added: ERR_BANNED_GROUPMEMBER for that uid.",
      "`usersToBan` fires group_member_banned.",
    ],
  }),
  route("list-group-members", "GET /groups/{guid}/members", list, {
    onBehalfOf: "unsupported",
    assumptions: ["`conversationId`, printed though nobody acts, is that with app_system."],
  }),
  route("change-group-member-scope", "PUT /groups/{guid}/members/{uid}", change, {
    onBehalfOf: "optional",
    assumptions: [
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the member's old and new one.",
      "The action message of a scope change has the action `scopeChanged`.",
    ],
  }),
  route("kick-group-member", "DELETE /groups/{guid}/members/{uid}", kick, {
    onBehalfOf: "optional",
    assumptions: [
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the member's; the owner may kick all.",
      "The action message has the action `kicked`.",
    ],
  }),
];

function add(request: AppRequest): Reply {
  const group = requireGroup(request);
  const lists = readMemberLists(request.body);
  requireGroupScope(request, group, "admin");
  return reply(request.db.transaction(() => addListedMembers(request, group.guid, lists)));
}

function change(request: AppRequest): Reply {
  const group = requireGroup(request);
  const user = requireUser(request);
  const scope = choice(request.body, "scope", memberScopes) ?? "participant";
  requireMember(request, group.guid, user.uid);
  requireClearance(request, group, user.uid, "ERR_GROUP_NO_SCOPE_CLEARANCE");
  if (scope === "admin") requireGroupScope(request, group, "admin");
  const { guid, uid, joinedAt } = request.db.transaction(() =>
    changeMemberScope(request, group.guid, user, scope),
  );
  return reply({ guid, uid, scope, joinedAt });
}

function kick(request: AppRequest): Reply {
  const group = requireGroup(request);
  const user = requireUser(request);
  requireMember(request, group.guid, user.uid);
  requireClearance(request, group, user.uid);
  request.db.transaction(() => exitGroup(request, group.guid, user, "kicked"));
  return acknowledge(`The member with ${user.uid} has been kicked from the Group with ${group.guid}.`);
}

function list(request: AppRequest): Reply {
  const group = requireGroup(request);
  const page = readPage(request.query);
  const { members, total } = selectMembers(request, group.guid, {
    scopes: request.query.list("scopes"),
    status: request.query.text("status"),
    window: page,
  });
  return reply(
    members.map(({ user, member: { scope, joinedAt } }) => ({
      ...showUser(user, { withTags: false, viewerUid: systemUser.uid }),
      scope,
      joinedAt,
    })),
    {
      meta: pageMeta(page, total, members.length),
      ...changeCursor(members.at(-1)?.user),
    },
  );
}
