/**
 * A group in events; the client's `Group` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#groups-in-events
 */
export interface Group {
  /** Chosen by your service. */
  readonly guid: string;
  readonly name?: string | undefined;
  /** `public`, `private` or `password`. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** URL of a picture. */
  readonly icon?: string | undefined;
  /** uid of the owner. */
  readonly owner?: string | undefined;
  /** uid of the previous owner; present if the owner changed. */
  readonly oldOwner?: string | undefined;
  /** The event's user's: `admin`, `moderator` or `participant`. */
  readonly scope?: string | undefined;
  readonly membersCount?: number | undefined;
  /** How many of them are connected. */
  readonly onlineMembersCount?: number | undefined;
  /** Whether the event's user is a member. */
  readonly hasJoined?: boolean | undefined;
  /** When the event's user became a member. */
  readonly joinedAt?: Date | undefined;
  /** `group_<guid>`; was seen to differ from `guid`: use that. */
  readonly conversationId?: string | undefined;
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
