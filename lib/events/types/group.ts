/**
 * A group as events carry one. The client's `Group` is what the REST API answers, with times in seconds.
 * @see docs/platform/events.md#groups-in-events
 */
export interface Group {
  /** The id that your own service chose for the group. */
  readonly guid: string;
  /** The name that members see. */
  readonly name?: string | undefined;
  /** `public`, `private` or `password`. */
  readonly type?: string | undefined;
  /** What the group is about, in its own words. */
  readonly description?: string | undefined;
  /** The address of a picture. */
  readonly icon?: string | undefined;
  /** The uid of the owner. */
  readonly owner?: string | undefined;
  /** The uid of who owned it before; present where the owner changed. */
  readonly oldOwner?: string | undefined;
  /** `admin`, `moderator` or `participant`: what the person of the event is in it. */
  readonly scope?: string | undefined;
  /** How many members it has. */
  readonly membersCount?: number | undefined;
  /** How many of them are connected. */
  readonly onlineMembersCount?: number | undefined;
  /** Whether the person of the event is a member. */
  readonly hasJoined?: boolean | undefined;
  /** When the person of the event became a member. */
  readonly joinedAt?: Date | undefined;
  /** `group_<guid>`; was seen to differ from the guid, so go by `guid`. */
  readonly conversationId?: string | undefined;
  /** When the group was made. */
  readonly createdAt?: Date | undefined;
  /** When the group itself was last changed; members who come and go leave it as it was. */
  readonly updatedAt?: Date | undefined;
  /** The uid of who changed it last. */
  readonly updatedBy?: string | undefined;
  /** Your own labels of the group. */
  readonly tags?: string[] | undefined;
  /** Your own data of the group. */
  readonly metadata?: Record<string, unknown> | undefined;
}
