import { badRequest } from "../errors/failures.ts";
import { choice, optionalText, optionalTexts, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteConversations } from "../store/conversations.ts";
import { deleteGroupRows, findMember, type Group, putGroup, putMember } from "../store/groups.ts";
import { deleteMessagesOf } from "../store/messages.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/group-events.ts";
import { groupTypes, readGroupPassword, readGroupProfile } from "./group-fields.ts";
import { requireGroup, showGroupFor } from "./group-lookup.ts";
import { requireGroupScope } from "./group-rights.ts";
import { recountMembers } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Answers PUT /groups/{guid}; `owner` counts only without onBehalfOf. @see docs/platform/users-and-groups.md#owners */
export function updateGroup(call: AppCall): Reply {
  const group = requireGroup(call);
  requireGroupScope(call, group, "moderator");
  const type = choice(call.body, "type", groupTypes) ?? group.type;
  const becomesLocked = type === "password" && group.type !== "password";
  const password =
    becomesLocked || call.body.password !== undefined ? readGroupPassword(call.body, type) : undefined;
  const owner = readNewOwner(call, group);
  const changed: Group = {
    ...group,
    ...(call.body.name === undefined ? {} : { name: requiredText(call.body, "name", 100) }),
    type,
    ...readGroupProfile(call.body),
    ...(owner === undefined ? {} : { owner: owner.uid }),
    updatedAt: nowSeconds(call),
    updatedBy: call.actor?.uid ?? systemUser.uid,
  };
  for (const field of optionalTexts(call.body, "unset") ?? []) {
    if (field !== "icon" && field !== "description" && field !== "metadata") {
      throw badRequest({ unset: "The unset field may name icon, description and metadata." });
    }
    delete changed[field];
  }
  const stored = call.db.transaction(() => {
    putGroup(call.db, call.app.appId, changed, password);
    if (owner !== undefined) makeAdmin(call, group.guid, owner);
    return recountMembers(call, group.guid);
  });
  emitUpdate(call, group, stored);
  return reply(showGroupFor(call, stored));
}

/** Answers DELETE /groups/{guid}. */
export function deleteGroup(call: AppCall): Reply {
  const group = requireGroup(call);
  requireGroupScope(call, group, "admin");
  emitGroupEvent(call, call.app, { trigger: "group_deleted", group });
  call.db.transaction(() => {
    deleteMessagesOf(call.db, call.app.appId, group.conversationId);
    deleteConversations(call.db, call.app.appId, group.conversationId, undefined);
    deleteGroupRows(call.db, call.app.appId, group.guid);
  });
  return acknowledge(`Group with guid ${group.guid} has been deleted successfully.`);
}

function readNewOwner(call: AppCall, group: Group): User | undefined {
  const uid = optionalText(call.body, "owner");
  if (uid === undefined || call.actor !== undefined) return undefined;
  const owner = requireUserByUid(call, uid);
  return owner.uid === group.owner ? undefined : owner;
}

function makeAdmin(call: AppCall, guid: string, owner: User): void {
  const member = findMember(call.db, call.app.appId, guid, owner.uid);
  const joinedAt = member?.joinedAt ?? nowSeconds(call);
  putMember(call.db, call.app.appId, { guid, uid: owner.uid, scope: "admin", joinedAt });
}

function emitUpdate(call: AppCall, before: Group, group: Group): void {
  const isTransferred = before.owner !== group.owner;
  if (isTransferred) {
    const groupFields = { oldOwner: before.owner };
    emitGroupEvent(call, call.app, { trigger: "group_owner_transferred", group, groupFields });
  }
  const changesMore = Object.keys(call.body).some((field) => field !== "owner");
  if (changesMore || !isTransferred) emitGroupEvent(call, call.app, { trigger: "group_updated", group });
}
