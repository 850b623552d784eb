import { badRequest } from "../errors/failures.ts";
import { choice, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { putDocument } from "../store/documents.ts";
import { type Muted, mutedBy, mutedKind, timezoneKind, timezoneOf } from "./own-choices.ts";
import { requireQueryUser } from "./preferences.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/notifications.md#quiet-hours-and-mutes",
  onBehalfOf: "unsupported",
} as const;
const mute = { ...base, path: "/notifications/v1/preferences/mute" } as const;
const timezone = { ...base, path: "/notifications/v1/preferences/timezone" } as const;

/** Declares what a user has muted, and their timezone. */
export const muteRoutes: readonly AppRoute[] = [
  {
    ...mute,
    operationId: "notifications-push-list-muted",
    method: "GET",
    assumptions: ["An entry is {id, type, until}; those whose time has passed are left out."],
    handler: (call) => reply({ mutedConversations: mutedBy(call, call.app, requireQueryUser(call)) }),
  },
  {
    ...mute,
    operationId: "notifications-push-mute-conversations",
    method: "PUT",
    assumptions: ["`until` has to be in the future."],
    handler: muteAll,
  },
  { ...mute, operationId: "notifications-push-unmute-conversations", method: "DELETE", handler: unmuteAll },
  {
    ...timezone,
    operationId: "notifications-get-timezone",
    method: "GET",
    assumptions: ["The timezone is UTC until it is set, also by a push token."],
    handler: (call) => reply({ timezone: timezoneOf(call, call.app, requireQueryUser(call)) }),
  },
  {
    ...timezone,
    operationId: "notifications-update-timezone",
    method: "PATCH",
    handler: (call) => {
      const uid = requireQueryUser(call);
      return reply({ timezone: setTimezone(call, uid, requiredText(call.body, "timezone")) });
    },
  },
];

/** Stores a user's timezone, an IANA name. @throws PlatformError ERR_BAD_REQUEST for an unknown one */
export function setTimezone(call: AppCall, uid: string, name: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    throw badRequest({ timezone: `The timezone ${name} does not exist.` });
  }
  putDocument(call.db, call.app.appId, timezoneKind, uid, { timezone: name });
  return name;
}

function muteAll(call: AppCall): Reply {
  const uid = requireQueryUser(call);
  const added = readConversations(call).map((item) => {
    const { until } = item.body;
    if (typeof until !== "number" || until <= call.clock.now()) {
      throw badRequest({ until: "The until must be a future time in milliseconds." });
    }
    return { id: item.id, type: item.type, until };
  });
  const kept = mutedBy(call, call.app, uid).filter((known) => !added.some((item) => isSame(item, known)));
  save(call, uid, [...kept, ...added]);
  return reply({ success: true });
}

function unmuteAll(call: AppCall): Reply {
  const uid = requireQueryUser(call);
  const removed = readConversations(call);
  save(
    call,
    uid,
    mutedBy(call, call.app, uid).filter((known) => !removed.some((item) => isSame(item, known))),
  );
  return reply({ success: true });
}

function readConversations(call: AppCall): (Pick<Muted, "id" | "type"> & { body: JsonObject })[] {
  const { conversations } = call.body;
  if (!Array.isArray(conversations) || !conversations.every(isJsonObject)) {
    throw badRequest({ conversations: "The conversations must be an array of objects." });
  }
  return conversations.map((body) => {
    const type = choice(body, "type", ["oneOnOne", "group"]);
    if (type === undefined) throw badRequest({ type: "The type field is required." });
    return { id: requiredText(body, "id").toLowerCase(), type, body };
  });
}

function save(call: AppCall, uid: string, conversations: Muted[]): void {
  putDocument(call.db, call.app.appId, mutedKind, uid, { conversations });
}

function isSame(left: Pick<Muted, "id" | "type">, right: Pick<Muted, "id" | "type">): boolean {
  return left.id === right.id && left.type === right.type;
}
