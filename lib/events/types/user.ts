/**
 * A user in events. The client's `User` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#users-in-events
 */
export interface User {
  /** The id that your own service chose for the user. */
  readonly uid: string;
  /** The name that others see. */
  readonly name?: string | undefined;
  /** The URL of a picture; may be empty. */
  readonly avatar?: string | undefined;
  /** The URL of a profile. */
  readonly link?: string | undefined;
  /** `available`, `offline` or, in connection events, `online`. */
  readonly status?: string | undefined;
  /** The id of the user's role. */
  readonly role?: string | undefined;
  /** When the user was last connected. */
  readonly lastActiveAt?: Date | undefined;
  /** When the user was created. */
  readonly createdAt?: Date | undefined;
  /** When the user last changed. */
  readonly updatedAt?: Date | undefined;
  /** Present if another user sees this one: their conversation. */
  readonly conversationId?: string | undefined;
  /** Your own data of the user. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Your own labels of the user. */
  readonly tags?: string[] | undefined;
  /** Present in receipts: whether this user blocks the other user. */
  readonly hasBlockedMe?: boolean | undefined;
  /** Present in receipts: whether the other user blocks this user. */
  readonly blockedByMe?: boolean | undefined;
  /** Seconds since 1970; 0 means active. */
  readonly deactivatedAt?: number | undefined;
  /** `admin`, `moderator` or `participant`; present in member lists. */
  readonly scope?: string | undefined;
  /** The previous `scope`; present if it changed. */
  readonly oldScope?: string | undefined;
}
