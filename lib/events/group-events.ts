import type * as z from "zod/mini";
import { groupConversation } from "./conversation.ts";
import { defineEvents, firstMoment, type HeadFacts } from "./define-event.ts";
import { groupSchema, toUsers, userMapSchema, userSchema } from "./message.ts";
import { each, flag, id, open, optional, orEmpty, text, time } from "./scalars.ts";
import type { ConnectionChange, MembersOfGroup } from "./types/group-events.ts";

/** @see docs/internals/platform/events.md#blocks, docs/internals/platform/events.md#connections */
export const userEvents = {
  // A block names no time.
  ...defineEvents(
    "webhook",
    ["user_blocked", "user_unblocked"],
    open({ by: userSchema, users: userMapSchema }),
    ({ by, users }) => ({ head: { actor: by.uid }, facts: { by, users: toUsers(users) } }),
  ),

  ...defineEvents(
    "webhook",
    ["user_connection_status_changed"],
    open({
      timestamp: optional(time),
      user: userSchema,
      status: optional(text),
      currentConnection: orEmpty(
        open({ ...each(["action", "platform"], text), connectedAt: optional(time) }),
      ),
      userPresenceChanged: optional(flag),
    }),
    ({ timestamp, user, status = user.status, currentConnection, userPresenceChanged }) => {
      const { action, platform, connectedAt } = currentConnection;
      const change = { status, action, platform, connectedAt, presenceChanged: userPresenceChanged };
      const head = { ...firstMoment({ "data.timestamp": timestamp }), actor: user.uid };
      return { head, facts: { user, connection: { uid: user.uid, ...change } satisfies ConnectionChange } };
    },
  ),
};

/** @see docs/internals/platform/legacy-engine.md#legacy-connections */
export const legacyConnectionEvents = defineEvents(
  "legacy",
  ["after_connection_status_changed"],
  open({
    user: open({
      uid: id,
      status: optional(text),
      status_updated: optional(flag),
      status_updated_at: optional(time),
    }),
    event: orEmpty(
      open({
        type: optional(text),
        at: optional(time),
        event_for: orEmpty(open({ platform: optional(text), connected_at: optional(time) })),
      }),
    ),
  }),
  ({ user, event }) => {
    const connection: ConnectionChange = {
      uid: user.uid,
      status: user.status,
      action: event.type,
      platform: event.event_for.platform,
      connectedAt: event.event_for.connected_at,
      presenceChanged: user.status_updated,
    };
    // If another device keeps the presence, its time is that of an earlier change.
    const presenceAt = user.status_updated === true ? user.status_updated_at : undefined;
    const moment = firstMoment({ "data.event.at": event.at, "data.user.status_updated_at": presenceAt });
    return { head: { ...moment, actor: user.uid }, facts: { connection } };
  },
);

const groupData = open({
  group: groupSchema,
  members: optional(userMapSchema),
  by: optional(userSchema),
});
type GroupData = z.output<typeof groupData>;

/** @see docs/internals/platform/events.md#group-events */
export const groupEvents = {
  ...defineEvents("webhook", ["group_created"], groupData, (data) => {
    const { group, members = {} } = data;
    const moment = firstMoment({ "data.group.createdAt": group.createdAt });
    return { head: groupHead(data, group.owner, moment), facts: { group, members: toUsers(members) } };
  }),

  ...defineEvents("webhook", ["group_updated", "group_deleted"], groupData, (data, trigger) => {
    const { group } = data;
    const updatedAt = trigger === "group_updated" ? group.updatedAt : undefined;
    const moment = firstMoment({ "data.group.updatedAt": updatedAt });
    return { head: groupHead(data, group.updatedBy, moment), facts: { group } };
  }),

  ...defineEvents("webhook", ["group_owner_transferred"], groupData, (data) => {
    const { group } = data;
    const { owner, oldOwner, updatedBy } = group;
    return { head: groupHead(data, updatedBy), facts: { group, owner, oldOwner } };
  }),

  // Members join and leave by themselves; all other changes name the acting user.
  ...defineEvents("webhook", ["group_member_joined", "group_member_left"], groupData, (data) => {
    const facts = memberFacts(data);
    return { head: groupHead(data, facts.members[0]?.uid), facts };
  }),

  ...defineEvents(
    "webhook",
    ["group_member_added", "group_member_kicked", "group_member_scope_changed"],
    groupData,
    (data) => ({ head: groupHead(data), facts: memberFacts(data) }),
  ),

  ...defineEvents("webhook", ["group_member_banned", "group_member_unbanned"], groupData, (data) => {
    const facts = memberFacts(data);
    const { by, members } = facts;
    const memberUncertain = by === undefined || members.some((member) => member.uid === by.uid);
    return { head: groupHead(data), facts: { ...facts, memberUncertain } };
  }),
};

function memberFacts({ group, members = {}, by }: GroupData): MembersOfGroup {
  return { group, members: toUsers(members), by };
}

/**
 * Whether a change of members moves `updatedAt` is not documented
 * (docs/internals/platform/events.md#group-events): without `moment`, the time is unknown.
 */
function groupHead(data: GroupData, actor?: string, moment: HeadFacts = {}): HeadFacts {
  return { ...moment, actor: data.by?.uid ?? actor, conversation: groupConversation(data.group.guid) };
}
