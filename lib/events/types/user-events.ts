import type { KnownEvent } from "./known-event.ts";
import type { User } from "./user.ts";

/** A user blocked other users. @see docs/internals/platform/events.md#blocks */
export interface UserBlockedEvent extends KnownEvent<"webhook", "user_blocked"> {
  readonly by: User;
  readonly users: readonly User[];
}

/** A user lifted a block. @see docs/internals/platform/events.md#blocks */
export interface UserUnblockedEvent extends KnownEvent<"webhook", "user_unblocked"> {
  readonly by: User;
  readonly users: readonly User[];
}

/**
 * A client connected or disconnected. Frequent: every client, including guests; `data` holds IP addresses and
 * user agents.
 * @see docs/internals/platform/events.md#connections
 */
export interface UserConnectionStatusChangedEvent
  extends KnownEvent<"webhook", "user_connection_status_changed"> {
  readonly user: User;
  readonly connection: ConnectionChange;
}

/**
 * A client of a user connected or disconnected, as reported by the legacy engine.
 * @see docs/internals/platform/legacy-engine.md#legacy-connections
 */
export interface AfterConnectionStatusChangedEvent
  extends KnownEvent<"legacy", "after_connection_status_changed"> {
  readonly connection: ConnectionChange;
}

/** A device connected or disconnected, in one form for both engines. */
export interface ConnectionChange {
  readonly uid: string;
  /** The user's new presence: `online` or `offline`. */
  readonly status: string | undefined;
  /** `connected` or `disconnected`. */
  readonly action: string | undefined;
  /** The device's platform, such as `javascript`. */
  readonly platform: string | undefined;
  readonly connectedAt: Date | undefined;
  /** False if another device keeps the presence. */
  readonly presenceChanged: boolean | undefined;
}
