import { badRequest } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";

const route = appFamily("docs/platform/notifications.md#push-providers");

const unknownRefused = ["An unknown providerId is refused with ERR_BAD_REQUEST: no page has a code for it."];
const platforms = { chat: "boolean", call: "boolean" } as const;
const fcmShape = {
  serviceAccountCreds: {
    project_id: "string",
    client_email: "string",
    private_key: "string",
    private_key_id: "string",
  },
  notificationInPayload: { ios: platforms, android: platforms, web: platforms },
} as const;

/** Declares the FCM and APNs providers; an app may have several of each, and one default. */
export const pushProviderRoutes: readonly AppRoute[] = [...routesOf("fcm"), ...routesOf("apns")];

type Service = "fcm" | "apns";

function routesOf(service: Service): AppRoute[] {
  const many = `/notifications/push/v1/providers/${service}`;
  const id = (verb: string, plural = "") => `notifications-push-${verb}-${service}-provider${plural}`;
  return [
    route(
      id("list", "s"),
      `GET ${many}`,
      (request) => reply({ pushProviders: providersOf(request, service) }),
      { assumptions: ["An entry is the stored body with `isDefault`."] },
    ),
    route(id("add"), `POST ${many}`, (request) => add(request, service), {
      input: service === "fcm" ? { body: fcmShape } : {},
      assumptions: [
        "`providerId` is required; a duplicate one is refused.",
        "The first provider is the default.",
      ],
    }),
    route(id("update"), `PUT ${many}`, (request) => update(request, service), {
      input: service === "fcm" ? { body: fcmShape } : {},
      assumptions: unknownRefused,
    }),
    route(
      id("delete"),
      `DELETE ${many}/{providerId}`,
      (request) => {
        deleteDocument(request, kindOf(service), requireProvider(request, service).id);
        return reply({ success: true });
      },
      { assumptions: unknownRefused },
    ),
    route(
      id("default"),
      `PUT ${many}/default/{providerId}`,
      (request) => makeDefault(request, service, requireProvider(request, service).id),
      { assumptions: unknownRefused },
    ),
  ];
}

function add(request: AppRequest, service: Service): Reply {
  const providerId = requiredText(request.body, "providerId");
  if (getDocument(request, kindOf(service), providerId) !== undefined) {
    throw badRequest({ providerId: `The provider ${providerId} already exists.` });
  }
  const isFirst = providersOf(request, service).length === 0;
  const stored = { providerId, ...readFields(request.body, service), isDefault: isFirst };
  putDocument(request, kindOf(service), providerId, stored);
  // The two creations answer differently (docs/platform/notifications.md#push-providers).
  return reply(service === "fcm" ? { success: true } : { pushProviders: providersOf(request, service) });
}

function update(request: AppRequest, service: Service): Reply {
  const { id, stored } = requireProvider(request, service, requiredText(request.body, "providerId"));
  putDocument(request, kindOf(service), id, {
    ...stored,
    ...readFields(request.body, service),
  });
  return reply({ success: true });
}

function makeDefault(request: AppRequest, service: Service, providerId: string): Reply {
  request.db.transaction(() => {
    for (const provider of providersOf(request, service)) {
      const id = String(provider.providerId);
      const changed = { ...provider, isDefault: id === providerId };
      putDocument(request, kindOf(service), id, changed);
    }
  });
  return reply({ success: true });
}

function providersOf(request: AppRequest, service: Service): JsonObject[] {
  return listDocuments(request, kindOf(service));
}

function requireProvider(request: AppRequest, service: Service, id = request.param("providerId")) {
  const stored = getDocument(request, kindOf(service), id);
  if (stored === undefined) throw badRequest({ providerId: `The provider ${id} does not exist.` });
  return { id, stored };
}

function readFields(body: JsonObject, service: Service): JsonObject {
  const { texts, flags, objects } = fieldsOf[service];
  const read = [
    ...texts.map((field) => [field, optionalText(body, field)]),
    ...flags.map((field) => [field, optionalFlag(body, field)]),
    ...objects.map((field) => [field, optionalObject(body, field)]),
  ];
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

const fieldsOf = {
  fcm: {
    texts: ["serviceAccountFilename"],
    flags: [],
    objects: ["serviceAccountCreds", "notificationInPayload"],
  },
  apns: {
    texts: ["keyId", "teamId", "bundleId", "p8KeyFilename", "p8Key"],
    flags: ["includeContentAvailable", "includeMutableContent", "productionMode"],
    objects: [],
  },
} as const;

function kindOf(service: Service): string {
  return `push-provider-${service}`;
}
