import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { flag, id, open, optional, text, time } from "./scalars.ts";
import type { ConnectionChange } from "./types/user-events.ts";
import { toUsers, userMapSchema, userSchema } from "./users-and-groups.ts";

/** Reads events of users. @see docs/internals/platform/events.md#blocks, docs/internals/platform/events.md#connections */
export const userEvents = {
  user_blocked: blockEvent("user_blocked"),
  user_unblocked: blockEvent("user_unblocked"),

  user_connection_status_changed: defineEvent({
    family: "webhook",
    trigger: "user_connection_status_changed",
    schema: open({
      timestamp: optional(time),
      user: userSchema,
      status: optional(text),
      currentConnection: optional(
        open({
          action: optional(text),
          platform: optional(text),
          connectedAt: optional(time),
        }),
      ),
      userPresenceChanged: optional(flag),
    }),
    normalise: ({ timestamp, user, status, currentConnection, userPresenceChanged }) => {
      const connection: ConnectionChange = {
        uid: user.uid,
        status: status ?? user.status,
        action: currentConnection?.action,
        platform: currentConnection?.platform,
        connectedAt: currentConnection?.connectedAt,
        presenceChanged: userPresenceChanged,
      };
      const head = { ...firstMoment({ "data.timestamp": timestamp }), actor: user.uid };
      return { head, facts: { user, connection } };
    },
  }),
};

/** Reads a connection change of the legacy engine. @see docs/internals/platform/legacy-engine.md#legacy-connections */
export const legacyConnectionEvents = {
  after_connection_status_changed: defineEvent({
    family: "legacy",
    trigger: "after_connection_status_changed",
    schema: open({
      user: open({
        uid: id,
        status: optional(text),
        status_updated: optional(flag),
        status_updated_at: optional(time),
      }),
      event: optional(
        open({
          type: optional(text),
          at: optional(time),
          event_for: optional(open({ platform: optional(text), connected_at: optional(time) })),
        }),
      ),
    }),
    normalise: ({ user, event }) => {
      const connection: ConnectionChange = {
        uid: user.uid,
        status: user.status,
        action: event?.type,
        platform: event?.event_for?.platform,
        connectedAt: event?.event_for?.connected_at,
        presenceChanged: user.status_updated,
      };
      // If another device keeps the presence unchanged, the presence time is that of an earlier change.
      const presenceAt = user.status_updated === true ? user.status_updated_at : undefined;
      const moment = firstMoment({ "data.event.at": event?.at, "data.user.status_updated_at": presenceAt });
      return { head: { ...moment, actor: user.uid }, facts: { connection } };
    },
  }),
};

/** A block names no time. */
function blockEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family: "webhook",
    trigger,
    schema: open({ by: userSchema, users: userMapSchema }),
    normalise: ({ by, users }) => ({ head: { actor: by.uid }, facts: { by, users: toUsers(users) } }),
  });
}
