import { badRequest, userNotFound } from "../errors/failures.ts";
import { optionalText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
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
    handler: (call) => reply(findContact(call.db, call.app.appId, actorOf(call)) ?? {}),
  },
  { ...base, operationId: "notifications-update-contact-details", method: "PATCH", handler: update },
  {
    ...base,
    operationId: "notifications-delete-contact-details",
    method: "DELETE",
    handler: (call) => {
      deleteDocument(call.db, call.app.appId, contactKind, actorOf(call));
      return reply({ success: true });
    },
  },
];

function findContact(db: Database, appId: string, uid: string): JsonObject | undefined {
  return getDocument(db, appId, contactKind, uid);
}

const contactKind = "contact-details";

function update(call: AppCall): Reply {
  const uid = actorOf(call);
  const email = optionalText(call.body, "email");
  const phno = optionalText(call.body, "phno");
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw badRequest({ email: "The email must be a valid e-mail address." });
  }
  if (phno !== undefined && !/^\+\d{6,15}$/.test(phno)) {
    throw badRequest({ phno: "The phno must be a phone number with its country code." });
  }
  const changed = {
    ...findContact(call.db, call.app.appId, uid),
    ...(email === undefined ? {} : { email }),
    ...(phno === undefined ? {} : { phno }),
  };
  putDocument(call.db, call.app.appId, contactKind, uid, changed);
  return reply(changed);
}

function actorOf(call: AppCall): string {
  if (call.actor === undefined) throw userNotFound("");
  return call.actor.uid;
}
