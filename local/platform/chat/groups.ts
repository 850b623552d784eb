import { allowedValues, requirePermission } from "../access/enforce.ts";
import { badRequest, PlatformError } from "../errors/platform-error.ts";
import { choice, optionalObject, optionalText, requiredId, requiredText } from "../http/fields.ts";
import { changeCursor, pageMeta, type Reply, readAffix, readPage, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type GroupFilter, type GroupOrder, selectGroups } from "../store/group-lists.ts";
import { findGroup, findMember, type Group, putGroup, putMember } from "../store/groups.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/group-events.ts";
import { groupConversationId, showGroup } from "../wire/show.ts";
import { deleteGroup, updateGroup } from "./group-change.ts";
import {
  groupTypes,
  readGroupPassword,
  readGroupProfile,
  requireGroup,
  showGroupFor,
} from "./group-lookup.ts";
import { addListedMembers, readMemberLists } from "./member-add.ts";
import { recountMembers } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

const route = appFamily("docs/platform/users-and-groups.md#groups", { onBehalfOf: "optional" });

/** Declares the group family. */
export const groupRoutes: readonly AppRoute[] = [
  route("create-group", "POST /groups", createGroup, {
    input: { body: { owner: "string" } },
    assumptions: [
      "`type` is required, as the specification says; a page of prose calls it optional.",
      "The owner joins as admin; without owner the acting user owns the group, else the system user, who does not join.",
      "Results per member are in `members`.",
    ],
  }),
  route("list-groups", "GET /groups", listGroups),
  route("get-group", "GET /groups/{guid}", getGroup),
  route("update-group", "PUT /groups/{guid}", updateGroup, {
    input: {
      needs: {
        any: ["name", "type", "password", "icon", "description", "metadata", "owner", "tags", "unset"],
      },
    },
    assumptions: [
      "With onBehalfOf the acting user needs moderator scope.",
      "A new owner becomes an admin member; other changed fields fire group_updated beside group_owner_transferred.",
    ],
  }),
  route("delete-group", "DELETE /groups/{guid}", deleteGroup, {
    assumptions: ["With onBehalfOf the acting user needs admin scope.", "The group's messages go with it."],
  }),
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
  if (findGroup(request, guid) !== undefined) {
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
      request,
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
  const membership = findMember(request, guid, owner.uid);
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
  if (ownerJoins) putMember(request, { guid, uid: owner.uid, scope: "admin", joinedAt });
  const group = recountMembers(request, guid);
  emitGroupEvent(request, {
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
  const group = findGroup(request, guid);
  if (group === undefined) throw new Error(`The group ${guid} vanished while it was created.`);
  return group;
}

/** Answers GET /groups. @see docs/platform/users-and-groups.md#groups */
function listGroups(request: AppRequest): Reply {
  const page = readPage(request.query);
  const { groups, total } = selectGroups(request, readGroupFilter(request), page);
  const withTags = request.query.flag("withTags") === true;
  return reply(
    groups.map((group) => showGroupFor(request, group, withTags)),
    {
      meta: {
        ...pageMeta(page, total, groups.length),
        ...changeCursor(groups.at(-1), readAffix(request.query)),
      },
    },
  );
}

function readGroupFilter(request: AppRequest): GroupFilter {
  const { query, actor } = request;
  const searchKey = query.text("searchKey");
  return {
    types: query.list("types"),
    allowedTypes: allowedValues(request, "listGroups.allowedGroupTypes"),
    guids: query.list("guids"),
    tags: query.list("tags"),
    createdAt: query.range("createdAt"),
    updatedAt: query.range("updatedAt"),
    membersCount: query.range("membersCount"),
    type: query.text("type"),
    guid: query.text("guid"),
    // A user sees the private groups they are in, and no other (assumed).
    reader:
      actor === undefined ? undefined : { uid: actor.uid, onlyJoined: query.flag("hasJoined") === true },
    search:
      searchKey === undefined || searchKey === ""
        ? undefined
        : { key: searchKey, fields: query.list("searchIn") ?? ["name", "guid"] },
    order: readOrder(request),
  };
}

// With `updatedAt` the list goes on after that time (`append`) or before it (`prepend`)
// (docs/platform/answers-and-errors.md#lists-by-cursor).
function readOrder(request: AppRequest): GroupOrder {
  const updatedAt = request.query.integer("updatedAt");
  if (updatedAt !== undefined) {
    return { by: "lastChange", from: updatedAt, isDescending: readAffix(request.query) === "prepend" };
  }
  const isDescending = request.query.text("sortOrder") === "desc";
  const by = request.query.text("sortBy") ?? "guid";
  if (by !== "name" && by !== "createdAt" && by !== "guid") {
    throw badRequest({ sortBy: "The sortBy must be name, guid or createdAt." });
  }
  return { by, isDescending };
}
