import { badRequest, userNotFound } from "../errors/failures.ts";
import { optionalText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import type { Database } from "../store/database.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/notifications.md#contact-details",
  path: "/notifications/v1/contact-details",
  onBehalfOf: "required",
} as const;

/** Declares the e-mail address and phone number of the acting user. */
export const contactRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "notifications-get-contact-details",
    method: "GET",
    assumptions: ["What is not stored is absent."],
    handler: (request) => reply(findContact(request.db, request.app.appId, actorOf(request)) ?? {}),
  },
  {
    ...base,
    operationId: "notifications-update-contact-details",
    input: { needs: { any: ["email", "phno"] } },
    method: "PATCH",
    handler: update,
  },
  {
    ...base,
    operationId: "notifications-delete-contact-details",
    method: "DELETE",
    handler: (request) => {
      deleteDocument(request.db, request.app.appId, contactKind, actorOf(request));
      return reply({ success: true });
    },
  },
];

function findContact(db: Database, appId: string, uid: string): JsonObject | undefined {
  return getDocument(db, appId, contactKind, uid);
}

const contactKind = "contact-details";

function update(request: AppRequest): Reply {
  const uid = actorOf(request);
  const email = optionalText(request.body, "email");
  const phno = optionalText(request.body, "phno");
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw badRequest({ email: "The email must be a valid e-mail address." });
  }
  if (phno !== undefined && !/^\+\d{6,15}$/.test(phno)) {
    throw badRequest({ phno: "The phno must be a phone number with its country code." });
  }
  const changed = {
    ...findContact(request.db, request.app.appId, uid),
    ...(email === undefined ? {} : { email }),
    ...(phno === undefined ? {} : { phno }),
  };
  putDocument(request.db, request.app.appId, contactKind, uid, changed);
  return reply(changed);
}

function actorOf(request: AppRequest): string {
  if (request.actor === undefined) throw userNotFound("");
  return request.actor.uid;
}
