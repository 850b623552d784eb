import { badRequest } from "../errors/platform-error.ts";
import { choice, optionalText, optionalTexts, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteConversations } from "../store/conversations.ts";
import { deleteGroupRows, findMember, type Group, putGroup, putMember } from "../store/groups.ts";
import { deleteMessagesOf } from "../store/messages.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/group-events.ts";
import {
  groupTypes,
  readGroupPassword,
  readGroupProfile,
  requireGroup,
  showGroupFor,
} from "./group-lookup.ts";
import { requireGroupScope } from "./group-rights.ts";
import { recountMembers } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Answers PUT /groups/{guid}; `owner` counts only without onBehalfOf. @see docs/platform/users-and-groups.md#owners */
export function updateGroup(request: AppRequest): Reply {
  const group = requireGroup(request);
  requireGroupScope(request, group, "moderator");
  const type = choice(request.body, "type", groupTypes) ?? group.type;
  const becomesLocked = type === "password" && group.type !== "password";
  const password =
    becomesLocked || request.body.password !== undefined ? readGroupPassword(request.body, type) : undefined;
  const owner = readNewOwner(request, group);
  const changed: Group = {
    ...group,
    ...(request.body.name === undefined ? {} : { name: requiredText(request.body, "name", 100) }),
    type,
    ...readGroupProfile(request.body),
    ...(owner === undefined ? {} : { owner: owner.uid }),
    ...(request.switches.changesMoveUpdatedAt ? { updatedAt: nowSeconds(request) } : {}),
    updatedBy: request.actor?.uid ?? systemUser.uid,
  };
  for (const field of optionalTexts(request.body, "unset") ?? []) {
    if (field !== "icon" && field !== "description" && field !== "metadata") {
      throw badRequest({ unset: "The unset field may name icon, description and metadata." });
    }
    delete changed[field];
  }
  const stored = request.db.transaction(() => {
    putGroup(request, changed, password);
    if (owner !== undefined) makeAdmin(request, group.guid, owner);
    return recountMembers(request, group.guid);
  });
  emitUpdate(request, group, stored);
  return reply(showGroupFor(request, stored));
}

/** Answers DELETE /groups/{guid}. */
export function deleteGroup(request: AppRequest): Reply {
  const group = requireGroup(request);
  requireGroupScope(request, group, "admin");
  emitGroupEvent(request, { trigger: "group_deleted", group });
  request.db.transaction(() => {
    deleteMessagesOf(request, group.conversationId);
    deleteConversations(request, group.conversationId, undefined);
    deleteGroupRows(request, group.guid);
  });
  return acknowledge(`Group with guid ${group.guid} has been deleted successfully.`);
}

function readNewOwner(request: AppRequest, group: Group): User | undefined {
  const uid = optionalText(request.body, "owner");
  if (uid === undefined || request.actor !== undefined) return undefined;
  const owner = requireUserByUid(request, uid);
  return owner.uid === group.owner ? undefined : owner;
}

function makeAdmin(request: AppRequest, guid: string, owner: User): void {
  const member = findMember(request, guid, owner.uid);
  const joinedAt = member?.joinedAt ?? nowSeconds(request);
  putMember(request, { guid, uid: owner.uid, scope: "admin", joinedAt });
}

function emitUpdate(request: AppRequest, before: Group, group: Group): void {
  const isTransferred = before.owner !== group.owner;
  if (isTransferred) {
    const groupFields = { oldOwner: before.owner };
    emitGroupEvent(request, { trigger: "group_owner_transferred", group, groupFields });
  }
  const changesMore = Object.keys(request.body).some((field) => field !== "owner");
  if (changesMore || !isTransferred) emitGroupEvent(request, { trigger: "group_updated", group });
}
