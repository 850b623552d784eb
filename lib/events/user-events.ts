import * as z from "zod/mini";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { decoration, flag, id, milliseconds, open, text } from "./scalars.ts";
import { userMapSchema, userSchema } from "./users-and-groups.ts";

/** A device connected or disconnected, in one form for both engines. */
interface ConnectionChange {
  readonly uid: string;
  /** The person's presence after it: `online` or `offline`. */
  readonly status: string | undefined;
  /** What the device did: `connected` or `disconnected`. */
  readonly action: string | undefined;
  readonly platform: string | undefined;
  readonly connectedAt: Date | undefined;
  /** False where another device of the same person keeps the presence as it was. */
  readonly presenceChanged: boolean | undefined;
}

/** Reads what happens to users. @see docs/platform/events.md#blocks, docs/platform/events.md#connections */
export const userEvents = {
  user_blocked: blockEvent("user_blocked"),
  user_unblocked: blockEvent("user_unblocked"),

  /** Frequent: every connection of every client, guests too. `data` holds addresses and user agents of people. */
  user_connection_status_changed: defineEvent({
    family: "webhook",
    trigger: "user_connection_status_changed",
    schema: open({
      timestamp: z.optional(milliseconds),
      user: userSchema,
      status: z.optional(text),
      currentConnection: decoration(
        open({
          action: decoration(text),
          platform: decoration(text),
          connectedAt: decoration(milliseconds),
        }),
      ),
      userPresenceChanged: z.optional(flag),
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

/** Reads a connection change of the legacy engine. @see docs/platform/legacy-engine.md#legacy-connections */
export const legacyConnectionEvents = {
  after_connection_status_changed: defineEvent({
    family: "legacy",
    trigger: "after_connection_status_changed",
    schema: open({
      user: open({
        uid: id,
        status: decoration(text),
        status_updated: decoration(flag),
        status_updated_at: decoration(milliseconds),
      }),
      event: z.optional(
        open({
          type: z.optional(text),
          at: z.optional(milliseconds),
          event_for: decoration(open({ platform: decoration(text), connected_at: decoration(milliseconds) })),
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
      const moment = firstMoment({
        "data.event.at": event?.at,
        "data.user.status_updated_at": user.status_updated_at,
      });
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
    normalise: ({ by, users }) => ({ head: { actor: by.uid }, facts: { by, users } }),
  });
}
