import { badRequest } from "../errors/failures.ts";
import { choice, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
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
    handler: (request) =>
      reply({ mutedConversations: mutedBy(request, request.app, requireQueryUser(request)) }),
  },
  {
    ...mute,
    operationId: "notifications-push-mute-conversations",
    input: { needs: { items: ["conversations"] } },
    method: "PUT",
    assumptions: ["`until` has to be in the future."],
    handler: muteAll,
  },
  {
    ...mute,
    operationId: "notifications-push-unmute-conversations",
    input: { needs: { items: ["conversations"] } },
    method: "DELETE",
    handler: unmuteAll,
  },
  {
    ...timezone,
    operationId: "notifications-get-timezone",
    method: "GET",
    assumptions: ["The timezone is UTC until it is set, also by a push token."],
    handler: (request) => reply({ timezone: timezoneOf(request, request.app, requireQueryUser(request)) }),
  },
  {
    ...timezone,
    operationId: "notifications-update-timezone",
    method: "PATCH",
    handler: (request) => {
      const uid = requireQueryUser(request);
      return reply({ timezone: setTimezone(request, uid, requiredText(request.body, "timezone")) });
    },
  },
];

/** Stores a user's timezone, an IANA name. @throws PlatformError ERR_BAD_REQUEST for an unknown one */
export function setTimezone(request: AppRequest, uid: string, name: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    throw badRequest({ timezone: `The timezone ${name} does not exist.` });
  }
  putDocument(request.db, request.app.appId, timezoneKind, uid, { timezone: name });
  return name;
}

function muteAll(request: AppRequest): Reply {
  const uid = requireQueryUser(request);
  const added = readConversations(request).map((item) => {
    const { until } = item.body;
    if (typeof until !== "number" || until <= request.clock.now()) {
      throw badRequest({ until: "The until must be a future time in milliseconds." });
    }
    return { id: item.id, type: item.type, until };
  });
  const kept = mutedBy(request, request.app, uid).filter(
    (known) => !added.some((item) => isSame(item, known)),
  );
  save(request, uid, [...kept, ...added]);
  return reply({ success: true });
}

function unmuteAll(request: AppRequest): Reply {
  const uid = requireQueryUser(request);
  const removed = readConversations(request);
  save(
    request,
    uid,
    mutedBy(request, request.app, uid).filter((known) => !removed.some((item) => isSame(item, known))),
  );
  return reply({ success: true });
}

function readConversations(request: AppRequest): (Pick<Muted, "id" | "type"> & { body: JsonObject })[] {
  const { conversations } = request.body;
  if (!Array.isArray(conversations) || !conversations.every(isJsonObject)) {
    throw badRequest({ conversations: "The conversations must be an array of objects." });
  }
  return conversations.map((body) => {
    const type = choice(body, "type", ["oneOnOne", "group"]);
    if (type === undefined) throw badRequest({ type: "The type field is required." });
    return { id: requiredText(body, "id").toLowerCase(), type, body };
  });
}

function save(request: AppRequest, uid: string, conversations: Muted[]): void {
  putDocument(request.db, request.app.appId, mutedKind, uid, { conversations });
}

function isSame(left: Pick<Muted, "id" | "type">, right: Pick<Muted, "id" | "type">): boolean {
  return left.id === right.id && left.type === right.type;
}
