import { badRequest } from "../errors/platform-error.ts";
import { choice, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { putDocument } from "../store/documents.ts";
import { type Muted, mutedBy, mutedKind, timezoneKind, timezoneOf } from "./own-choices.ts";
import { requireQueryUser } from "./preferences.ts";

const route = appFamily("docs/platform/notifications.md#quiet-hours-and-mutes");

/** Declares what a user has muted, and their timezone. */
export const muteRoutes: readonly AppRoute[] = [
  route(
    "notifications-push-list-muted",
    "GET /notifications/v1/preferences/mute",
    (request) => reply({ mutedConversations: mutedBy(request, requireQueryUser(request)) }),
    { assumptions: ["An entry is {id, type, until}; those whose time has passed are left out."] },
  ),
  route("notifications-push-mute-conversations", "PUT /notifications/v1/preferences/mute", muteAll, {
    input: { needs: { items: ["conversations"] } },
    assumptions: ["`until` has to be in the future."],
  }),
  route("notifications-push-unmute-conversations", "DELETE /notifications/v1/preferences/mute", unmuteAll, {
    input: { needs: { items: ["conversations"] } },
  }),
  route(
    "notifications-get-timezone",
    "GET /notifications/v1/preferences/timezone",
    (request) => reply({ timezone: timezoneOf(request, requireQueryUser(request)) }),
    { assumptions: ["The timezone is UTC until it is set, also by a push token."] },
  ),
  route("notifications-update-timezone", "PATCH /notifications/v1/preferences/timezone", (request) => {
    const uid = requireQueryUser(request);
    return reply({ timezone: setTimezone(request, uid, requiredText(request.body, "timezone")) });
  }),
];

/** Stores a user's timezone, an IANA name. @throws PlatformError ERR_BAD_REQUEST for an unknown one */
export function setTimezone(request: AppRequest, uid: string, name: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    throw badRequest({ timezone: `The timezone ${name} does not exist.` });
  }
  putDocument(request, timezoneKind, uid, { timezone: name });
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
  const kept = mutedBy(request, uid).filter((known) => !added.some((item) => isSame(item, known)));
  save(request, uid, [...kept, ...added]);
  return reply({ success: true });
}

function unmuteAll(request: AppRequest): Reply {
  const uid = requireQueryUser(request);
  const removed = readConversations(request);
  save(
    request,
    uid,
    mutedBy(request, uid).filter((known) => !removed.some((item) => isSame(item, known))),
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
  putDocument(request, mutedKind, uid, { conversations });
}

function isSame(left: Pick<Muted, "id" | "type">, right: Pick<Muted, "id" | "type">): boolean {
  return left.id === right.id && left.type === right.type;
}
