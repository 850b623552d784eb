import { allowedValues, requirePermission } from "../access/enforce.ts";
import {
  choice,
  optionalObject,
  optionalText,
  requiredChoice,
  requiredId,
  requiredText,
  unset,
} from "../http/fields.ts";
import {
  type AppRequest,
  acknowledge,
  appFamily,
  changeCursor,
  pageMeta,
  readAffix,
  readPage,
  reply,
} from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteRows } from "../store/database.ts";
import { findMember, type Group, putGroup, putMember, selectGroups } from "../store/groups.ts";
import { eraseKeyed, purgeConversation } from "../store/purge.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/message-events.ts";
import { groupConversationId, showGroup } from "../wire/show.ts";
import { addListedMembers, readMemberLists } from "./group-members.ts";
import {
  groupTypes,
  readGroupPassword,
  readGroupProfile,
  requireGroup,
  requireGroupByGuid,
  requireGroupScope,
  requireNew,
  requireUserByUid,
  showGroupFor,
} from "./lookup.ts";
import { recountMembers } from "./membership.ts";

export const groupRoutes = appFamily({
  "create-group"(request) {
    const guid = requiredId(request.body, "guid");
    const name = requiredText(request.body, "name", 100);
    const type = requiredChoice(request.body, "type", groupTypes);
    const password = readGroupPassword(request.body, type);
    const profile = readGroupProfile(request.body);
    requirePermission(request, "createGroup.allowedGroupTypes", type);
    const owner = readOwner(request);
    const lists = readMemberLists(optionalObject(request.body, "members") ?? {});
    requireNew(request, "GUID", guid);
    const at = nowSeconds(request);
    const conversationId = groupConversationId(guid);
    const created = { guid, name, type, ...profile, membersCount: 0, conversationId, createdAt: at };
    putGroup(request, { ...created, owner: owner.uid }, password);
    const results = start(request, guid, owner, lists);
    const group = requireGroupByGuid(request, guid);
    const membership = findMember(request, guid, owner.uid);
    return {
      ...showGroup(group, membership),
      ...(Object.keys(results).length !== 0 && { members: results }),
    };
  },
  "list-groups"(request) {
    const { query, actor } = request;
    const page = readPage(query);
    const { items, total } = selectGroups(request, query, {
      readerUid: actor?.uid,
      allowedTypes: allowedValues(request, "listGroups.allowedGroupTypes"),
      window: page,
    });
    const withTags = query.flag("withTags") === true;
    return reply(
      items.map((group) => showGroupFor(request, group, withTags)),
      { meta: { ...pageMeta(page, total, items.length), ...changeCursor(items.at(-1), readAffix(query)) } },
    );
  },
  "get-group": (request) => showGroupFor(request, requireGroup(request)),
  /** @see docs/internals/platform/users-and-groups.md#owners */
  "update-group"(request) {
    const group = requireGroup(request);
    requireGroupScope(request, group, "moderator");
    const type = choice(request.body, "type", groupTypes) ?? group.type;
    const becomesLocked = type === "password" && group.type !== "password";
    const password =
      becomesLocked || request.body.password !== undefined
        ? readGroupPassword(request.body, type)
        : undefined;
    const owner = readNewOwner(request, group);
    const changed: Group = {
      ...group,
      ...(request.body.name !== undefined && { name: requiredText(request.body, "name", 100) }),
      type,
      ...readGroupProfile(request.body),
      ...(owner !== undefined && { owner: owner.uid }),
      ...(request.switches.changesMoveUpdatedAt && { updatedAt: nowSeconds(request) }),
      updatedBy: request.actor?.uid ?? systemUser.uid,
    };
    unset(request.body, changed, ["icon", "description", "metadata"]);
    putGroup(request, changed, password);
    if (owner !== undefined) {
      const joinedAt = findMember(request, group.guid, owner.uid)?.joinedAt ?? nowSeconds(request);
      putMember(request, { guid: group.guid, uid: owner.uid, scope: "admin", joinedAt });
    }
    const stored = recountMembers(request, group.guid);
    emitUpdate(request, group, stored);
    return showGroupFor(request, stored);
  },
  "delete-group"(request) {
    const group = requireGroup(request);
    requireGroupScope(request, group, "admin");
    emitGroupEvent(request, { trigger: "group_deleted", group });
    deleteRows(request, "conversations", { conversationId: group.conversationId, type: "group" });
    purgeConversation(request, group.conversationId);
    eraseKeyed(request, "guid", group.guid);
    return acknowledge(`Group with guid ${group.guid} has been deleted successfully.`);
  },
});

function start(request: AppRequest, guid: string, owner: User, lists: ReturnType<typeof readMemberLists>) {
  const joinedAt = nowSeconds(request);
  const ownerJoins = owner.uid !== systemUser.uid;
  if (ownerJoins) putMember(request, { guid, uid: owner.uid, scope: "admin", joinedAt });
  const group = recountMembers(request, guid);
  emitGroupEvent(request, {
    trigger: "group_created",
    group,
    ...(ownerJoins && { membership: { scope: "admin", joinedAt } }),
    members: [owner],
  });
  for (const list of Object.values(lists)) {
    const index = list.indexOf(owner.uid);
    if (index !== -1) list.splice(index, 1);
  }
  return addListedMembers(request, guid, lists);
}

function readOwner(request: AppRequest) {
  const owner = optionalText(request.body, "owner");
  return owner === undefined ? (request.actor ?? systemUser) : requireUserByUid(request, owner);
}

function readNewOwner(request: AppRequest, group: Group) {
  const uid = optionalText(request.body, "owner");
  if (uid === undefined || request.actor !== undefined) return undefined;
  const owner = requireUserByUid(request, uid);
  return owner.uid === group.owner ? undefined : owner;
}

function emitUpdate(request: AppRequest, before: Group, group: Group) {
  const isTransferred = before.owner !== group.owner;
  if (isTransferred) {
    const groupFields = { oldOwner: before.owner };
    emitGroupEvent(request, { trigger: "group_owner_transferred", group, groupFields });
  }
  const changesMore = Object.keys(request.body).some((field) => field !== "owner");
  if (changesMore || !isTransferred) emitGroupEvent(request, { trigger: "group_updated", group });
}
