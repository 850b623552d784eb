import * as z from "zod/mini";
import { groupConversation } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { open } from "./scalars.ts";
import { type Group, groupSchema, type User, userMapSchema, userSchema } from "./users-and-groups.ts";

const family = "webhook";
const groupData = open({
  group: groupSchema,
  members: z.optional(userMapSchema),
  by: z.optional(userSchema),
});
type GroupData = z.output<typeof groupData>;

/** Reads what happens to groups. @see docs/platform/events.md#group-events */
export const groupEvents = {
  group_created: defineEvent({
    family,
    trigger: "group_created",
    schema: groupData,
    normalise: (data) => {
      const { group, members = [] } = data;
      const moment = firstMoment({
        "data.group.createdAt": group.createdAt,
        "data.group.updatedAt": group.updatedAt,
      });
      return { head: groupHead(data, moment, group.owner), facts: { group, members } };
    },
  }),
  group_updated: groupEvent("group_updated"),
  group_deleted: groupEvent("group_deleted"),

  group_owner_transferred: defineEvent({
    family,
    trigger: "group_owner_transferred",
    schema: groupData,
    normalise: (data) => ({
      head: groupHead(data, updated(data.group), data.group.updatedBy),
      facts: { group: data.group, owner: data.group.owner, oldOwner: data.group.oldOwner },
    }),
  }),

  group_member_added: memberEvent("group_member_added"),
  group_member_joined: memberEvent("group_member_joined"),
  group_member_left: memberEvent("group_member_left"),
  group_member_kicked: memberEvent("group_member_kicked"),
  /** Each member has `scope` and `oldScope`. */
  group_member_scope_changed: memberEvent("group_member_scope_changed"),
  group_member_banned: banEvent("group_member_banned"),
  group_member_unbanned: banEvent("group_member_unbanned"),
};

function groupEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: groupData,
    normalise: (data) => ({
      head: groupHead(data, updated(data.group), data.group.updatedBy),
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

/**
 * A ban made on behalf of a user reports the actor in place of the member
 * (docs/platform/events.md#bans-on-behalf-of-a-user, seen live).
 */
function banEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: groupData,
    normalise: (data) => {
      const facts = memberFacts(data);
      const { by, members } = facts;
      /** True where `members` may name the one who banned, not the one who was banned. */
      const memberUncertain = by === undefined || members.some((member) => member.uid === by.uid);
      return { head: memberHead(trigger, data), facts: { ...facts, memberUncertain } };
    },
  });
}

function memberFacts({ group, members = [], by }: GroupData): {
  readonly group: Group;
  readonly members: readonly User[];
  readonly by: User | undefined;
} {
  return { group, members, by };
}

function memberHead(trigger: string, data: GroupData) {
  // Who joins or leaves does it themselves; all other changes name who made them.
  const isOwnDoing = trigger === "group_member_joined" || trigger === "group_member_left";
  return groupHead(data, updated(data.group), isOwnDoing ? data.members?.[0]?.uid : undefined);
}

function groupHead(data: GroupData, moment: ReturnType<typeof firstMoment>, actor: string | undefined) {
  return { ...moment, actor: data.by?.uid ?? actor, conversation: groupConversation(data.group.guid) };
}

function updated(group: Group) {
  return firstMoment({ "data.group.updatedAt": group.updatedAt });
}
