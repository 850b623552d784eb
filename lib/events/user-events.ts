import { defineEvents, firstMoment } from "./define-event.ts";

import { each, flag, id, open, optional, orEmpty, text, time } from "./scalars.ts";
import type { ConnectionChange } from "./types/user-events.ts";
import { toUsers, userMapSchema, userSchema } from "./users-and-groups.ts";

/** @see docs/internals/platform/events.md#blocks, docs/internals/platform/events.md#connections */
export const userEvents = {
  // A block names no time.
  ...defineEvents(
    "webhook",
    ["user_blocked", "user_unblocked"],
    open({ by: userSchema, users: userMapSchema }),
    ({ by, users }) => ({ head: { actor: by.uid }, facts: { by, users: toUsers(users) } }),
  ),

  ...defineEvents(
    "webhook",
    ["user_connection_status_changed"],
    open({
      timestamp: optional(time),
      user: userSchema,
      status: optional(text),
      currentConnection: orEmpty(
        open({ ...each(["action", "platform"], text), connectedAt: optional(time) }),
      ),
      userPresenceChanged: optional(flag),
    }),
    ({ timestamp, user, status = user.status, currentConnection, userPresenceChanged }) => {
      const { action, platform, connectedAt } = currentConnection;
      const change = { status, action, platform, connectedAt, presenceChanged: userPresenceChanged };
      const head = { ...firstMoment({ "data.timestamp": timestamp }), actor: user.uid };
      return { head, facts: { user, connection: { uid: user.uid, ...change } satisfies ConnectionChange } };
    },
  ),
};

/** @see docs/internals/platform/legacy-engine.md#legacy-connections */
export const legacyConnectionEvents = defineEvents(
  "legacy",
  ["after_connection_status_changed"],
  open({
    user: open({
      uid: id,
      status: optional(text),
      status_updated: optional(flag),
      status_updated_at: optional(time),
    }),
    event: orEmpty(
      open({
        type: optional(text),
        at: optional(time),
        event_for: orEmpty(open({ platform: optional(text), connected_at: optional(time) })),
      }),
    ),
  }),
  ({ user, event }) => {
    const connection: ConnectionChange = {
      uid: user.uid,
      status: user.status,
      action: event.type,
      platform: event.event_for.platform,
      connectedAt: event.event_for.connected_at,
      presenceChanged: user.status_updated,
    };
    // If another device keeps the presence, its time is that of an earlier change.
    const presenceAt = user.status_updated === true ? user.status_updated_at : undefined;
    const moment = firstMoment({ "data.event.at": event.at, "data.user.status_updated_at": presenceAt });
    return { head: { ...moment, actor: user.uid }, facts: { connection } };
  },
);
