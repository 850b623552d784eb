import type { Group } from "./group.ts";
import type { KnownEvent } from "./known-event.ts";
import type { User } from "./user.ts";

/**
 * A group was made.
 * @see docs/platform/events.md#group-events
 */
export interface GroupCreatedEvent extends KnownEvent<"webhook", "group_created"> {
  /** The group. */
  readonly group: Group;
  /** Its first members: who made it. */
  readonly members: readonly User[];
}

/**
 * A group's name, type, icon, tags or metadata changed.
 * @see docs/platform/events.md#group-events
 */
export interface GroupUpdatedEvent extends KnownEvent<"webhook", "group_updated"> {
  /** The group as it is now. */
  readonly group: Group;
}

/**
 * A group was deleted. When is not known: `updatedAt` is of the last change.
 * @see docs/platform/events.md#group-events
 */
export interface GroupDeletedEvent extends KnownEvent<"webhook", "group_deleted"> {
  /** The group as it was. */
  readonly group: Group;
}

/**
 * A group has a new owner. By REST without an acting user; else `group_updated`.
 * @see docs/platform/events.md#group-events
 */
export interface GroupOwnerTransferredEvent extends KnownEvent<"webhook", "group_owner_transferred"> {
  /** The group as it is now. */
  readonly group: Group;
  /** The uid of who owns it now. */
  readonly owner: string | undefined;
  /** The uid of who owned it before. */
  readonly oldOwner: string | undefined;
}

/**
 * Somebody added members.
 * @see docs/platform/events.md#group-events
 */
export interface GroupMemberAddedEvent extends KnownEvent<"webhook", "group_member_added">, MembersOfGroup {}

/**
 * Somebody joined. Clients only.
 * @see docs/platform/events.md#group-events
 */
export interface GroupMemberJoinedEvent
  extends KnownEvent<"webhook", "group_member_joined">,
    MembersOfGroup {}

/**
 * Somebody left. Clients only.
 * @see docs/platform/events.md#group-events
 */
export interface GroupMemberLeftEvent extends KnownEvent<"webhook", "group_member_left">, MembersOfGroup {}

/**
 * Somebody was removed and may come back.
 * @see docs/platform/events.md#group-events
 */
export interface GroupMemberKickedEvent
  extends KnownEvent<"webhook", "group_member_kicked">,
    MembersOfGroup {}

/**
 * Somebody was banned.
 * @see docs/platform/events.md#bans-on-behalf-of-a-user
 */
export interface GroupMemberBannedEvent extends KnownEvent<"webhook", "group_member_banned">, BansOfGroup {}

/**
 * Somebody's ban was lifted.
 * @see docs/platform/events.md#bans-on-behalf-of-a-user
 */
export interface GroupMemberUnbannedEvent
  extends KnownEvent<"webhook", "group_member_unbanned">,
    BansOfGroup {}

/**
 * A member became admin, moderator or participant; each of `members` has `scope` and `oldScope`.
 * @see docs/platform/events.md#group-events
 */
export interface GroupMemberScopeChangedEvent
  extends KnownEvent<"webhook", "group_member_scope_changed">,
    MembersOfGroup {}

/** Who comes to a group, goes, or changes in it. */
export interface MembersOfGroup {
  /** The group as it is now. */
  readonly group: Group;
  /** Those whom it happened to. */
  readonly members: readonly User[];
  /** Who did it; `undefined` where they did it themselves, or nobody is named. */
  readonly by: User | undefined;
}

/** Who is banned from a group, or no longer. */
export interface BansOfGroup extends MembersOfGroup {
  /**
   * True where `members` may name the one who banned, not the one who was banned: a ban made on behalf of a user reports
   * the actor in place of the member (docs/platform/events.md#bans-on-behalf-of-a-user, seen live).
   */
  readonly memberUncertain: boolean;
}
