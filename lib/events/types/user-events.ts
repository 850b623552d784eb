import type { KnownEvent } from "./known-event.ts";
import type { User } from "./user.ts";

/**
 * Somebody blocked others.
 * @see docs/platform/events.md#blocks
 */
export interface UserBlockedEvent extends KnownEvent<"webhook", "user_blocked"> {
  /** Who blocks. */
  readonly by: User;
  /** Those who are blocked. */
  readonly users: readonly User[];
}

/**
 * Somebody lifted a block.
 * @see docs/platform/events.md#blocks
 */
export interface UserUnblockedEvent extends KnownEvent<"webhook", "user_unblocked"> {
  /** Who blocks no longer. */
  readonly by: User;
  /** Those who are no longer blocked. */
  readonly users: readonly User[];
}

/**
 * A client of a user connected or disconnected. Many: every client, guests too; `data` holds addresses and user agents of
 * people.
 * @see docs/platform/events.md#connections
 */
export interface UserConnectionStatusChangedEvent
  extends KnownEvent<"webhook", "user_connection_status_changed"> {
  /** Whose client it is. */
  readonly user: User;
  /** What changed. */
  readonly connection: ConnectionChange;
}

/**
 * A client of a user connected or disconnected, in the words of the legacy engine.
 * @see docs/platform/legacy-engine.md#legacy-connections
 */
export interface AfterConnectionStatusChangedEvent
  extends KnownEvent<"legacy", "after_connection_status_changed"> {
  /** What changed. */
  readonly connection: ConnectionChange;
}

/** A device connected or disconnected, in one form for both engines. */
export interface ConnectionChange {
  /** Whose device it is. */
  readonly uid: string;
  /** The person's presence after it: `online` or `offline`. */
  readonly status: string | undefined;
  /** What the device did: `connected` or `disconnected`. */
  readonly action: string | undefined;
  /** What the device runs, such as `javascript`. */
  readonly platform: string | undefined;
  /** When the device connected. */
  readonly connectedAt: Date | undefined;
  /** False where another device of the same person keeps the presence as it was. */
  readonly presenceChanged: boolean | undefined;
}
