/**
 * A group in events. The client's `Group` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#groups-in-events
 */
export interface Group {
  /** The id that your own service chose for the group. */
  readonly guid: string;
  /** The name that members see. */
  readonly name?: string | undefined;
  /** `public`, `private` or `password`. */
  readonly type?: string | undefined;
  /** The group's description. */
  readonly description?: string | undefined;
  /** The URL of a picture. */
  readonly icon?: string | undefined;
  /** The uid of the owner. */
  readonly owner?: string | undefined;
  /** The uid of the previous owner; present if the owner changed. */
  readonly oldOwner?: string | undefined;
  /** `admin`, `moderator` or `participant`: the scope of the event's user in the group. */
  readonly scope?: string | undefined;
  /** How many members it has. */
  readonly membersCount?: number | undefined;
  /** How many of them are connected. */
  readonly onlineMembersCount?: number | undefined;
  /** Whether the event's user is a member. */
  readonly hasJoined?: boolean | undefined;
  /** When the event's user became a member. */
  readonly joinedAt?: Date | undefined;
  /** `group_<guid>`; was seen to differ from the guid, so use `guid`. */
  readonly conversationId?: string | undefined;
  /** When the group was created. */
  readonly createdAt?: Date | undefined;
  /** When the group itself last changed; joining and leaving members do not change it. */
  readonly updatedAt?: Date | undefined;
  /** The uid of the user who changed it last. */
  readonly updatedBy?: string | undefined;
  /** Your own labels of the group. */
  readonly tags?: string[] | undefined;
  /** Your own data of the group. */
  readonly metadata?: Record<string, unknown> | undefined;
}
