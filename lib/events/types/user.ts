/**
 * A user as events carry one. The client's `User` is what the REST API answers, with times in seconds.
 * @see docs/platform/events.md#users-in-events
 */
export interface User {
  /** The id that your own service chose for the user. */
  readonly uid: string;
  /** The name that others see. */
  readonly name?: string | undefined;
  /** The address of a picture; may be the empty text. */
  readonly avatar?: string | undefined;
  /** The address of a profile. */
  readonly link?: string | undefined;
  /** `available`, `offline` or, in connection events, `online`. */
  readonly status?: string | undefined;
  /** The id of the user's role. */
  readonly role?: string | undefined;
  /** When the user was last connected. */
  readonly lastActiveAt?: Date | undefined;
  /** When the user was made. */
  readonly createdAt?: Date | undefined;
  /** When the user was last changed. */
  readonly updatedAt?: Date | undefined;
  /** Present where another user sees this one: the conversation of the two. */
  readonly conversationId?: string | undefined;
  /** Your own data of the user. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Your own labels of the user. */
  readonly tags?: string[] | undefined;
  /** Present in receipts: whether this user blocks the other person. */
  readonly hasBlockedMe?: boolean | undefined;
  /** Present in receipts: whether the other person blocks this user. */
  readonly blockedByMe?: boolean | undefined;
  /** Seconds since 1970; 0 means active. */
  readonly deactivatedAt?: number | undefined;
  /** `admin`, `moderator` or `participant`; present in lists of members. */
  readonly scope?: string | undefined;
  /** What `scope` was before; present where it changed. */
  readonly oldScope?: string | undefined;
}
