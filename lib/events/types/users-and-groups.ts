/**
 * A user in events; the client's `User` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#users-in-events
 */
export interface User {
  /** Chosen by your service. */
  readonly uid: string;
  /** Name that others see. */
  readonly name?: string | undefined;
  /** URL of a picture; may be empty. */
  readonly avatar?: string | undefined;
  /** URL of a profile. */
  readonly link?: string | undefined;
  /** `available`, `offline` or, on connection, `online`. */
  readonly status?: string | undefined;
  /** Id of the user's role. */
  readonly role?: string | undefined;
  /** When the user was last connected. */
  readonly lastActiveAt?: Date | undefined;
  /** When created. */
  readonly createdAt?: Date | undefined;
  /** When last changed. */
  readonly updatedAt?: Date | undefined;
  /** If another user sees this one. */
  readonly conversationId?: string | undefined;
  /** Your own data. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Your own labels. */
  readonly tags?: string[] | undefined;
  /** In receipts: whether this user blocks the other. */
  readonly hasBlockedMe?: boolean | undefined;
  /** In receipts: whether the other blocks this user. */
  readonly blockedByMe?: boolean | undefined;
  /** Seconds since 1970; 0 means active. */
  readonly deactivatedAt?: number | undefined;
  /** `admin`, `moderator` or `participant`, in member lists. */
  readonly scope?: string | undefined;
  /** If it changed. */
  readonly oldScope?: string | undefined;
}

/**
 * A group in events; the client's `Group` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#groups-in-events
 */
export interface Group {
  /** Chosen by your service. */
  readonly guid: string;
  /** The name that members see. */
  readonly name?: string | undefined;
  /** `public`, `private` or `password`. */
  readonly type?: string | undefined;
  /** The group's description. */
  readonly description?: string | undefined;
  /** URL of a picture. */
  readonly icon?: string | undefined;
  /** uid of the owner. */
  readonly owner?: string | undefined;
  /** uid of the previous owner; present if the owner changed. */
  readonly oldOwner?: string | undefined;
  /** The event's user's: `admin`, `moderator` or `participant`. */
  readonly scope?: string | undefined;
  /** How many members it has. */
  readonly membersCount?: number | undefined;
  /** How many of them are connected. */
  readonly onlineMembersCount?: number | undefined;
  /** Whether the event's user is a member. */
  readonly hasJoined?: boolean | undefined;
  /** When the event's user became a member. */
  readonly joinedAt?: Date | undefined;
  /** `group_<guid>`; was seen to differ from `guid`: use that. */
  readonly conversationId?: string | undefined;
  /** When created. */
  readonly createdAt?: Date | undefined;
  /** When last changed, not by members joining or leaving. */
  readonly updatedAt?: Date | undefined;
  /** uid of the user who changed it last. */
  readonly updatedBy?: string | undefined;
  /** Your own labels. */
  readonly tags?: string[] | undefined;
  /** Your own data. */
  readonly metadata?: Record<string, unknown> | undefined;
}
