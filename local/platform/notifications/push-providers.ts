import { badRequest } from "../errors/failures.ts";
import { optionalFlag, optionalObject, optionalText, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/notifications.md#push-providers",
  onBehalfOf: "unsupported",
} as const;

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
    {
      ...base,
      operationId: id("list", "s"),
      method: "GET",
      path: many,
      assumptions: ["An entry is the stored body with `isDefault`."],
      handler: (request) => reply({ pushProviders: providersOf(request, service) }),
    },
    {
      ...base,
      operationId: id("add"),
      input: service === "fcm" ? { body: fcmShape } : {},
      method: "POST",
      path: many,
      assumptions: [
        "`providerId` is required; a duplicate one is refused.",
        "The first provider is the default.",
      ],
      handler: (request) => add(request, service),
    },
    {
      ...base,
      operationId: id("update"),
      input: service === "fcm" ? { body: fcmShape } : {},
      method: "PUT",
      path: many,
      assumptions: unknownRefused,
      handler: (request) => update(request, service),
    },
    {
      ...base,
      operationId: id("delete"),
      method: "DELETE",
      assumptions: unknownRefused,
      path: `${many}/{providerId}`,
      handler: (request) => {
        deleteDocument(request.db, request.app.appId, kindOf(service), requireProvider(request, service).id);
        return reply({ success: true });
      },
    },
    {
      ...base,
      operationId: id("default"),
      method: "PUT",
      assumptions: unknownRefused,
      path: `${many}/default/{providerId}`,
      handler: (request) => makeDefault(request, service, requireProvider(request, service).id),
    },
  ];
}

function add(request: AppRequest, service: Service): Reply {
  const { appId } = request.app;
  const providerId = requiredText(request.body, "providerId");
  if (getDocument(request.db, appId, kindOf(service), providerId) !== undefined) {
    throw badRequest({ providerId: `The provider ${providerId} already exists.` });
  }
  const isFirst = providersOf(request, service).length === 0;
  const stored = { providerId, ...readFields(request.body, service), isDefault: isFirst };
  putDocument(request.db, appId, kindOf(service), providerId, stored);
  // The two creations answer differently (docs/platform/notifications.md#push-providers).
  return reply(service === "fcm" ? { success: true } : { pushProviders: providersOf(request, service) });
}

function update(request: AppRequest, service: Service): Reply {
  const { id, stored } = requireProvider(request, service, requiredText(request.body, "providerId"));
  putDocument(request.db, request.app.appId, kindOf(service), id, {
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
      putDocument(request.db, request.app.appId, kindOf(service), id, changed);
    }
  });
  return reply({ success: true });
}

function providersOf(request: AppRequest, service: Service): JsonObject[] {
  return listDocuments(request.db, request.app.appId, kindOf(service));
}

function requireProvider(request: AppRequest, service: Service, id = request.param("providerId")) {
  const stored = getDocument(request.db, request.app.appId, kindOf(service), id);
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
