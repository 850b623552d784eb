import type { Group } from "./group.ts";
import type { KnownEvent } from "./known-event.ts";
import type { User } from "./user.ts";

/** A group was created. @see docs/internals/platform/events.md#group-events */
export interface GroupCreatedEvent extends KnownEvent<"webhook", "group_created"> {
  readonly group: Group;
  /** Its creator. */
  readonly members: readonly User[];
}

/**
 * A group's name, type, icon, tags or metadata changed.
 * @see docs/internals/platform/events.md#group-events
 */
export interface GroupUpdatedEvent extends KnownEvent<"webhook", "group_updated"> {
  readonly group: Group;
}

/**
 * A group was deleted. `updatedAt` is the last change: the time is unknown.
 * @see docs/internals/platform/events.md#group-events
 */
export interface GroupDeletedEvent extends KnownEvent<"webhook", "group_deleted"> {
  /** The group as it was. */
  readonly group: Group;
}

/**
 * A group has a new owner. Sent for REST calls without an acting user; otherwise the platform sends
 * `group_updated`.
 * @see docs/internals/platform/events.md#group-events
 */
export interface GroupOwnerTransferredEvent extends KnownEvent<"webhook", "group_owner_transferred"> {
  readonly group: Group;
  /** uid of the new owner. */
  readonly owner: string | undefined;
  /** uid of the previous owner. */
  readonly oldOwner: string | undefined;
}

/** A user added members. @see docs/internals/platform/events.md#group-events */
export interface GroupMemberAddedEvent extends KnownEvent<"webhook", "group_member_added">, MembersOfGroup {}

/** A user joined. Clients only. @see docs/internals/platform/events.md#group-events */
export interface GroupMemberJoinedEvent
  extends KnownEvent<"webhook", "group_member_joined">,
    MembersOfGroup {}

/** A user left. Clients only. @see docs/internals/platform/events.md#group-events */
export interface GroupMemberLeftEvent extends KnownEvent<"webhook", "group_member_left">, MembersOfGroup {}

/** A user was removed and may return. @see docs/internals/platform/events.md#group-events */
export interface GroupMemberKickedEvent
  extends KnownEvent<"webhook", "group_member_kicked">,
    MembersOfGroup {}

/** A user was banned. @see docs/internals/platform/events.md#bans-on-behalf-of-a-user */
export interface GroupMemberBannedEvent extends KnownEvent<"webhook", "group_member_banned">, BansOfGroup {}

/** A user's ban was lifted. @see docs/internals/platform/events.md#bans-on-behalf-of-a-user */
export interface GroupMemberUnbannedEvent
  extends KnownEvent<"webhook", "group_member_unbanned">,
    BansOfGroup {}

/**
 * A member became admin, moderator or participant; each of `members` has `scope` and `oldScope`.
 * @see docs/internals/platform/events.md#group-events
 */
export interface GroupMemberScopeChangedEvent
  extends KnownEvent<"webhook", "group_member_scope_changed">,
    MembersOfGroup {}

/** Members who join, leave or change in a group. */
export interface MembersOfGroup {
  readonly group: Group;
  readonly members: readonly User[];
  /** `undefined` if the members acted themselves or none is named. */
  readonly by: User | undefined;
}

/** Users who are banned from a group, or whose ban is lifted. */
export interface BansOfGroup extends MembersOfGroup {
  /**
   * True if `members` may name the user who banned: a ban on behalf of a user reports the actor as the member
   * (docs/internals/platform/events.md#bans-on-behalf-of-a-user, seen live).
   */
  readonly memberUncertain: boolean;
}
