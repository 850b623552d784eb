import { badRequest, userNotFound } from "../errors/platform-error.ts";
import { optionalText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";

const route = appFamily("docs/platform/notifications.md#contact-details", { onBehalfOf: "required" });

/** Declares the e-mail address and phone number of the acting user. */
export const contactRoutes: readonly AppRoute[] = [
  route(
    "notifications-get-contact-details",
    "GET /notifications/v1/contact-details",
    (request) => reply(findContact(request, actorOf(request)) ?? {}),
    { assumptions: ["What is not stored is absent."] },
  ),
  route("notifications-update-contact-details", "PATCH /notifications/v1/contact-details", update, {
    input: { needs: { any: ["email", "phno"] } },
  }),
  route("notifications-delete-contact-details", "DELETE /notifications/v1/contact-details", (request) => {
    deleteDocument(request, contactKind, actorOf(request));
    return reply({ success: true });
  }),
];

function findContact(data: AppData, uid: string): JsonObject | undefined {
  return getDocument(data, contactKind, uid);
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
    ...findContact(request, uid),
    ...defined({ email, phno }),
  };
  putDocument(request, contactKind, uid, changed);
  return reply(changed);
}

function actorOf(request: AppRequest): string {
  if (request.actor === undefined) throw userNotFound("");
  return request.actor.uid;
}
