import { requirePermission } from "../access/enforce.ts";
import { badRequest } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { choice, optionalObject, optionalText, requiredId, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
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
import { addListedMembers, readMemberLists } from "./member-add.ts";
import { recountMembers } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/users-and-groups.md#groups",
  onBehalfOf: "optional",
} as const;

/** Declares the group family. */
export const groupRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-group",
    input: { body: { owner: "string" } },
    method: "POST",
    path: "/groups",
    assumptions: [
      "`type` is required, as the specification says; a page of prose calls it optional.",
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
    input: {
      needs: {
        any: ["name", "type", "password", "icon", "description", "metadata", "owner", "tags", "unset"],
      },
    },
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

function createGroup(request: AppRequest): Reply {
  const guid = requiredId(request.body, "guid");
  const name = requiredText(request.body, "name", 100);
  const type = choice(request.body, "type", groupTypes);
  if (type === undefined) throw badRequest({ type: "The type field is required." });
  const password = readGroupPassword(request.body, type);
  const profile = readGroupProfile(request.body);
  requirePermission(request, "createGroup.allowedGroupTypes", type);
  const owner = readOwner(request);
  const lists = readMemberLists(optionalObject(request.body, "members") ?? {});
  if (findGroup(request.db, request.app.appId, guid) !== undefined) {
    throw new PlatformError(
      "ERR_GUID_ALREADY_EXISTS",
      `The GUID ${guid} already exists, please use a different GUID.`,
      {
        status: request.switches.duplicateIdStatus,
      },
    );
  }
  const at = nowSeconds(request);
  const results = request.db.transaction(() => {
    putGroup(
      request.db,
      request.app.appId,
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
    return start(request, guid, owner, lists);
  });
  const group = requireStored(request, guid);
  const membership = findMember(request.db, request.app.appId, guid, owner.uid);
  return reply({
    ...showGroup(group, { membership }),
    ...(Object.keys(results).length === 0 ? {} : { members: results }),
  });
}

function start(
  request: AppRequest,
  guid: string,
  owner: User,
  lists: ReturnType<typeof readMemberLists>,
): JsonObject {
  const joinedAt = nowSeconds(request);
  const ownerJoins = owner.uid !== systemUser.uid;
  if (ownerJoins)
    putMember(request.db, request.app.appId, { guid, uid: owner.uid, scope: "admin", joinedAt });
  const group = recountMembers(request, guid);
  emitGroupEvent(request, request.app, {
    trigger: "group_created",
    group,
    ...(ownerJoins ? { membership: { scope: "admin", joinedAt } } : {}),
    members: [owner],
  });
  for (const list of Object.values(lists)) {
    const index = list.indexOf(owner.uid);
    if (index !== -1) list.splice(index, 1);
  }
  return addListedMembers(request, guid, lists);
}

function getGroup(request: AppRequest): Reply {
  return reply(showGroupFor(request, requireGroup(request)));
}

function readOwner(request: AppRequest): User {
  if (request.actor !== undefined) return request.actor;
  const owner = optionalText(request.body, "owner");
  return owner === undefined ? systemUser : requireUserByUid(request, owner);
}

function requireStored(request: AppRequest, guid: string): Group {
  const group = findGroup(request.db, request.app.appId, guid);
  if (group === undefined) throw new Error(`The group ${guid} vanished while it was created.`);
  return group;
}
