import type * as z from "zod/mini";
import { groupConversation } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { open, optional } from "./scalars.ts";
import type { Group } from "./types/group.ts";
import type { MembersOfGroup } from "./types/group-events.ts";
import { groupSchema, toUsers, userMapSchema, userSchema } from "./users-and-groups.ts";

const family = "webhook";
const groupData = open({
  group: groupSchema,
  members: optional(userMapSchema),
  by: optional(userSchema),
});
type GroupData = z.output<typeof groupData>;

/** Reads events of groups. @see docs/internals/platform/events.md#group-events */
export const groupEvents = {
  group_created: defineEvent({
    family,
    trigger: "group_created",
    schema: groupData,
    normalise: (data) => {
      const { group, members = {} } = data;
      const moment = firstMoment({ "data.group.createdAt": group.createdAt });
      return { head: groupHead(data, group.owner, moment), facts: { group, members: toUsers(members) } };
    },
  }),
  group_updated: groupEvent("group_updated", ({ updatedAt }) => ({ "data.group.updatedAt": updatedAt })),
  group_deleted: groupEvent("group_deleted", () => ({})),

  group_owner_transferred: defineEvent({
    family,
    trigger: "group_owner_transferred",
    schema: groupData,
    normalise: (data) => ({
      head: groupHead(data, data.group.updatedBy),
      facts: { group: data.group, owner: data.group.owner, oldOwner: data.group.oldOwner },
    }),
  }),

  group_member_added: memberEvent("group_member_added"),
  group_member_joined: memberEvent("group_member_joined"),
  group_member_left: memberEvent("group_member_left"),
  group_member_kicked: memberEvent("group_member_kicked"),
  group_member_scope_changed: memberEvent("group_member_scope_changed"),
  group_member_banned: banEvent("group_member_banned"),
  group_member_unbanned: banEvent("group_member_unbanned"),
};

function groupEvent<const Trigger extends string>(
  trigger: Trigger,
  moments: (group: Group) => Record<string, Date | undefined>,
) {
  return defineEvent({
    family,
    trigger,
    schema: groupData,
    normalise: (data) => ({
      head: groupHead(data, data.group.updatedBy, firstMoment(moments(data.group))),
      facts: { group: data.group },
    }),
  });
}

function memberEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: groupData,
    normalise: (data) => ({ head: memberHead(trigger, data), facts: memberFacts(data) }),
  });
}

function banEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: groupData,
    normalise: (data) => {
      const facts = memberFacts(data);
      const { by, members } = facts;
      const memberUncertain = by === undefined || members.some((member) => member.uid === by.uid);
      return { head: memberHead(trigger, data), facts: { ...facts, memberUncertain } };
    },
  });
}

function memberFacts({ group, members = {}, by }: GroupData): MembersOfGroup {
  return { group, members: toUsers(members), by };
}

function memberHead(trigger: string, data: GroupData) {
  // Members join and leave by themselves. All other changes name the acting user.
  const isOwnAction = trigger === "group_member_joined" || trigger === "group_member_left";
  return groupHead(data, isOwnAction ? toUsers(data.members ?? {})[0]?.uid : undefined);
}

/**
 * Joining and leaving do not change the group's `updatedAt` (docs/internals/platform/events.md#group-events), so the
 * time is unknown without `moment`.
 */
function groupHead(data: GroupData, actor: string | undefined, moment: ReturnType<typeof firstMoment> = {}) {
  return { ...moment, actor: data.by?.uid ?? actor, conversation: groupConversation(data.group.guid) };
}
