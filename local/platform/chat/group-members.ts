import { ensureField, itemResults } from "../errors/platform-error.ts";
import { choice, optionalTexts } from "../http/fields.ts";
import {
  type AppRequest,
  acknowledge,
  appFamily,
  changeCursor,
  pageMeta,
  readPage,
  reply,
} from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { memberScopes, selectBanned, selectMembers } from "../store/groups.ts";
import { systemUser } from "../store/users.ts";
import { showUser } from "../wire/show.ts";
import {
  type Acting,
  requireClearance,
  requireGroup,
  requireGroupScope,
  requireMember,
  requireUser,
  requireUserByUid,
} from "./lookup.ts";
import { banUser, changeMemberScope, enterGroup, exitGroup, unbanUser } from "./membership.ts";

const route = appFamily("docs/internals/platform/users-and-groups.md#members");

export const groupMemberRoutes = [
  route(
    "add-group-members",
    (request) => {
      const group = requireGroup(request);
      const lists = readMemberLists(request.body);
      requireGroupScope(request, group, "admin");
      return addListedMembers(request, group.guid, lists);
    },
    [
      "With onBehalfOf only an admin may add.",
      "A banned user cannot be added: ERR_BANNED_GROUPMEMBER for that uid.",
      "`usersToBan` fires group_member_banned.",
    ],
  ),
  route("list-group-members", listMembers, [
    "`conversationId`, printed without an acting user, is that with app_system.",
  ]),
  route("change-group-member-scope", changeScope, [
    "With onBehalfOf the acting user needs moderator scope and a higher scope than the member's old and new one.",
    "The action message of a scope change has the action `scopeChanged`.",
  ]),
  route(
    "kick-group-member",
    (request) => {
      const group = requireGroup(request);
      const user = requireUser(request);
      requireMember(request, group.guid, user.uid);
      requireClearance(request, group, user.uid);
      exitGroup(request, group.guid, user, "kicked");
      return acknowledge(`The member with ${user.uid} has been kicked from the Group with ${group.guid}.`);
    },
    [
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the member's; the owner may kick all.",
      "The action message has the action `kicked`.",
    ],
  ),
];

function changeScope(request: AppRequest) {
  const group = requireGroup(request);
  const user = requireUser(request);
  const scope = choice(request.body, "scope", memberScopes) ?? "participant";
  requireMember(request, group.guid, user.uid);
  requireClearance(request, group, user.uid, "ERR_GROUP_NO_SCOPE_CLEARANCE");
  if (scope === "admin") requireGroupScope(request, group, "admin");
  const { guid, uid, joinedAt } = changeMemberScope(request, group.guid, user, scope);
  return { guid, uid, scope, joinedAt };
}

function listMembers(request: AppRequest) {
  const group = requireGroup(request);
  const page = readPage(request.query);
  const { items, total } = selectMembers(request, group.guid, { query: request.query, window: page });
  return reply(
    items.map(({ user, ...membership }) => ({
      ...showUser(user, { withTags: false, viewerUid: systemUser.uid }),
      ...membership,
    })),
    { meta: pageMeta(page, total, items.length), ...changeCursor(items.at(-1)?.user) },
  );
}

const banRoute = appFamily("docs/internals/platform/users-and-groups.md#banned-users");

export const bannedUserRoutes = [
  banRoute(
    "ban-group-user",
    (request) => {
      const group = requireGroup(request);
      const user = requireUser(request);
      requireClearance(request, group, user.uid);
      banUser(request, group.guid, user);
      return acknowledge(`The user with uid ${user.uid} has been banned from the Group with ${group.guid}.`);
    },
    [
      "A user who is no member may be banned.",
      "With onBehalfOf the acting user needs moderator scope and a higher scope than the banned member's.",
    ],
  ),
  banRoute(
    "unban-group-user",
    (request) => {
      const group = requireGroup(request);
      const user = requireUser(request);
      requireClearance(request, group, user.uid);
      unbanUser(request, group.guid, user);
      return acknowledge(
        `The user with uid ${user.uid} has been unbanned from the Group with ${group.guid}.`,
      );
    },
    ["The text says unbanned (the printed example repeats the ban's)."],
  ),
  banRoute(
    "list-banned-group-users",
    (request) => {
      const { guid } = requireGroup(request);
      const page = readPage(request.query);
      const { items, total } = selectBanned(request, guid, page);
      return reply(
        items.map((user) => showUser(user, { withTags: false, viewerUid: systemUser.uid })),
        { meta: pageMeta(page, total, items.length) },
      );
    },
    ["Ordered by uid.", "`conversationId`, printed without an acting user, is that with app_system."],
  ),
];

type MemberLists = Record<ListName, string[]>;

type ListName = (typeof listNames)[number];

const listNames = ["admins", "moderators", "participants", "usersToBan"] as const;

/**
 * A uid counts once, at its highest place.
 * @see docs/internals/platform/users-and-groups.md#members,
 * docs/internals/platform/ids-and-limits.md#quantities
 */
export function readMemberLists(body: JsonObject): MemberLists {
  const lists: MemberLists = { admins: [], moderators: [], participants: [], usersToBan: [] };
  const taken = new Set<string>();
  for (const name of listNames) {
    const uids = optionalTexts(body, name);
    ensureField(uids?.length !== 0, name, `The ${name} must have at least 1 item.`);
    for (const uid of uids ?? []) {
      if (taken.has(uid)) continue;
      taken.add(uid);
      lists[name].push(uid);
    }
  }
  ensureField(
    taken.size <= maxUidsPerCall,
    "members",
    `At most ${maxUidsPerCall} uids are allowed per call.`,
  );
  return lists;
}

export function addListedMembers(acting: Acting, guid: string, lists: MemberLists): JsonObject {
  const results: JsonObject = {};
  for (const name of listNames) {
    if (lists[name].length === 0) continue;
    results[name] = itemResults(lists[name], (uid) => {
      const user = requireUserByUid(acting, uid);
      if (name !== "usersToBan") {
        return { data: enterGroup(acting, guid, { user, scope: scopeOf[name], how: "added" }) };
      }
      banUser(acting, guid, user);
      return {};
    });
  }
  return results;
}

const maxUidsPerCall = 25;

const scopeOf = { admins: "admin", moderators: "moderator", participants: "participant" } as const;
