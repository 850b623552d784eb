import type { KnownEvent } from "./known-event.ts";
import type { Group, User } from "./users-and-groups.ts";

/** A group was created. @see docs/internals/platform/events.md#group-events */
export interface GroupCreatedEvent extends KnownEvent<"webhook", "group_created"> {
  /** The group. */
  readonly group: Group;
  /** Its creator. */
  readonly members: readonly User[];
}

/**
 * A group's name, type, icon, tags or metadata changed.
 * @see docs/internals/platform/events.md#group-events
 */
export interface GroupUpdatedEvent extends KnownEvent<"webhook", "group_updated"> {
  /** The current group. */
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
  /** The current group. */
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
  /** The current group. */
  readonly group: Group;
  /** The affected members. */
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

/** A user blocked other users. @see docs/internals/platform/events.md#blocks */
export interface UserBlockedEvent extends KnownEvent<"webhook", "user_blocked"> {
  /** The user who blocks. */
  readonly by: User;
  /** The blocked users. */
  readonly users: readonly User[];
}

/** A user lifted a block. @see docs/internals/platform/events.md#blocks */
export interface UserUnblockedEvent extends KnownEvent<"webhook", "user_unblocked"> {
  /** The user who lifted the block. */
  readonly by: User;
  /** The users who are no longer blocked. */
  readonly users: readonly User[];
}

/**
 * A client connected or disconnected. Frequent: every client, including guests; `data` holds IP addresses and
 * user agents.
 * @see docs/internals/platform/events.md#connections
 */
export interface UserConnectionStatusChangedEvent
  extends KnownEvent<"webhook", "user_connection_status_changed"> {
  /** The client's user. */
  readonly user: User;
  /** The change. */
  readonly connection: ConnectionChange;
}

/**
 * A client of a user connected or disconnected, as reported by the legacy engine.
 * @see docs/internals/platform/legacy-engine.md#legacy-connections
 */
export interface AfterConnectionStatusChangedEvent
  extends KnownEvent<"legacy", "after_connection_status_changed"> {
  /** The change. */
  readonly connection: ConnectionChange;
}

/** A device connected or disconnected, in one form for both engines. */
export interface ConnectionChange {
  /** The device's user. */
  readonly uid: string;
  /** The user's new presence: `online` or `offline`. */
  readonly status: string | undefined;
  /** `connected` or `disconnected`. */
  readonly action: string | undefined;
  /** The device's platform, such as `javascript`. */
  readonly platform: string | undefined;
  /** When the device connected. */
  readonly connectedAt: Date | undefined;
  /** False if another device keeps the presence. */
  readonly presenceChanged: boolean | undefined;
}
