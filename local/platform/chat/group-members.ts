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
import { type JsonObject, pick } from "../json.ts";
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

export const groupMemberRoutes = appFamily({
  "add-group-members"(request) {
    const group = requireGroup(request);
    const lists = readMemberLists(request.body);
    requireGroupScope(request, group, "admin");
    return addListedMembers(request, group.guid, lists);
  },
  "list-group-members"(request) {
    const group = requireGroup(request);
    const page = readPage(request.query);
    const { items, total } = selectMembers(request, group.guid, { query: request.query, window: page });
    return reply(
      items.map(({ user, ...membership }) => ({
        ...showUser(user, systemUser.uid),
        ...membership,
      })),
      { meta: pageMeta(page, total, items.length), ...changeCursor(items.at(-1)?.user) },
    );
  },
  "change-group-member-scope"(request) {
    const group = requireGroup(request);
    const user = requireUser(request);
    const scope = choice(request.body, "scope", memberScopes) ?? "participant";
    requireMember(request, group.guid, user.uid);
    requireClearance(request, group, user.uid, "ERR_GROUP_NO_SCOPE_CLEARANCE");
    if (scope === "admin") requireGroupScope(request, group, "admin");
    return pick(changeMemberScope(request, group.guid, user, scope), "guid", "uid", "scope", "joinedAt");
  },
  "kick-group-member"(request) {
    const group = requireGroup(request);
    const user = requireUser(request);
    requireMember(request, group.guid, user.uid);
    requireClearance(request, group, user.uid);
    exitGroup(request, group.guid, user, "kicked");
    return acknowledge(`The member with ${user.uid} has been kicked from the Group with ${group.guid}.`);
  },
  "ban-group-user": answerBan(banUser, "banned"),
  "unban-group-user": answerBan(unbanUser, "unbanned"),
  "list-banned-group-users"(request) {
    const { guid } = requireGroup(request);
    const page = readPage(request.query);
    const { items, total } = selectBanned(request, guid, page);
    return reply(
      items.map((user) => showUser(user, systemUser.uid)),
      { meta: pageMeta(page, total, items.length) },
    );
  },
});

function answerBan(change: typeof banUser | typeof unbanUser, done: string) {
  return (request: AppRequest) => {
    const group = requireGroup(request);
    const user = requireUser(request);
    requireClearance(request, group, user.uid);
    change(request, group.guid, user);
    return acknowledge(`The user with uid ${user.uid} has been ${done} from the Group with ${group.guid}.`);
  };
}

type MemberLists = Record<ListName, string[]>;

type ListName = (typeof listNames)[number];

const listNames = ["admins", "moderators", "participants", "usersToBan"] as const;

/**
 * Counts a uid once, with its highest scope.
 * @see docs/internals/platform/users-and-groups.md#members
 * @see docs/internals/platform/ids-and-limits.md#quantities
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
