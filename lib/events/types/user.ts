/**
 * A user in events; the client's `User` is the REST API's, with times in seconds.
 * @see docs/internals/platform/events.md#users-in-events
 */
export interface User {
  /** Chosen by your service. */
  readonly uid: string;
  readonly name?: string | undefined;
  /** URL of a picture; may be empty. */
  readonly avatar?: string | undefined;
  /** URL of a profile. */
  readonly link?: string | undefined;
  /** `available`, `offline` or, on connection, `online`. */
  readonly status?: string | undefined;
  readonly role?: string | undefined;
  readonly lastActiveAt?: Date | undefined;
  readonly createdAt?: Date | undefined;
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
