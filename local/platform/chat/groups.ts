import { requirePermission } from "../access/enforce.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { choice, optionalObject, optionalText, requiredId, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { findGroup, findMember, type Group, putGroup, putMember } from "../store/groups.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/group-events.ts";
import { groupConversationId, showGroup } from "../wire/show.ts";
import { deleteGroup, updateGroup } from "./group-change.ts";
import { groupTypes, readGroupPassword, readGroupProfile } from "./group-fields.ts";
import { listGroups } from "./group-list.ts";
import { requireGroup, showGroupFor } from "./group-lookup.ts";
import { addMembers, readMemberLists } from "./member-add.ts";
import { recountMembers } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

const base = { fidelity: "documented", source: "docs/platform/users-and-groups.md#groups", onBehalfOf: "optional" } as const;

/** Declares the group family. */
export const groupRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-group",
    method: "POST",
    path: "/groups",
    assumptions: [
      "Without `type` the group is public.",
      "The owner joins as admin; without owner the acting user owns the group, else the system user, who does not join.",
      "Results per member are in `members`.",
    ],
    handler: createGroup,
  },
  { ...base, operationId: "list-groups", method: "GET", path: "/groups", handler: listGroups },
  { ...base, operationId: "get-group", method: "GET", path: "/groups/{guid}", handler: getGroup },
  {
    ...base,
    operationId: "update-group",
    method: "PUT",
    path: "/groups/{guid}",
    assumptions: [
      "With onBehalfOf the acting user needs moderator scope.",
      "A new owner becomes an admin member; other changed fields fire group_updated beside group_owner_transferred.",
    ],
    handler: updateGroup,
  },
  {
    ...base,
    operationId: "delete-group",
    method: "DELETE",
    path: "/groups/{guid}",
    assumptions: ["With onBehalfOf the acting user needs admin scope.", "The group's messages go with it."],
    handler: deleteGroup,
  },
];

function createGroup(call: AppCall): Reply {
  const guid = requiredId(call.body, "guid");
  const name = requiredText(call.body, "name", 100);
  const type = choice(call.body, "type", groupTypes) ?? "public";
  const password = readGroupPassword(call.body, type);
  const profile = readGroupProfile(call.body);
  requirePermission(call, "createGroup.allowedGroupTypes", type);
  const owner = readOwner(call);
  const lists = readMemberLists(optionalObject(call.body, "members") ?? {});
  if (findGroup(call.db, call.app.appId, guid) !== undefined) {
    throw new PlatformError(
      "ERR_GUID_ALREADY_EXISTS",
      `The GUID ${guid} already exists, please use a different GUID.`,
      {
        status: call.switches.duplicateIdStatus,
      },
    );
  }
  const at = nowSeconds(call);
  const results = call.db.transaction(() => {
    putGroup(
      call.db,
      call.app.appId,
      {
        guid,
        name,
        type,
        ...profile,
        membersCount: 0,
        conversationId: groupConversationId(guid),
        createdAt: at,
        owner: owner.uid,
      },
      password,
    );
    return start(call, guid, owner, lists);
  });
  const group = requireStored(call, guid);
  const membership = findMember(call.db, call.app.appId, guid, owner.uid);
  return reply({
    ...showGroup(group, { membership }),
    ...(Object.keys(results).length === 0 ? {} : { members: results }),
  });
}

function start(
  call: AppCall,
  guid: string,
  owner: User,
  lists: ReturnType<typeof readMemberLists>,
): JsonObject {
  const joinedAt = nowSeconds(call);
  const ownerJoins = owner.uid !== systemUser.uid;
  if (ownerJoins) putMember(call.db, call.app.appId, { guid, uid: owner.uid, scope: "admin", joinedAt });
  const group = recountMembers(call, guid);
  emitGroupEvent(call, call.app, {
    trigger: "group_created",
    group,
    ...(ownerJoins ? { membership: { scope: "admin", joinedAt } } : {}),
    members: [owner],
  });
  for (const list of Object.values(lists)) {
    const index = list.indexOf(owner.uid);
    if (index !== -1) list.splice(index, 1);
  }
  return addMembers(call, guid, lists);
}

function getGroup(call: AppCall): Reply {
  return reply(showGroupFor(call, requireGroup(call)));
}

function readOwner(call: AppCall): User {
  if (call.actor !== undefined) return call.actor;
  const owner = optionalText(call.body, "owner");
  return owner === undefined ? systemUser : requireUserByUid(call, owner);
}

function requireStored(call: AppCall, guid: string): Group {
  const group = findGroup(call.db, call.app.appId, guid);
  if (group === undefined) throw new Error(`The group ${guid} vanished while it was created.`);
  return group;
}
