import { badRequest } from "../errors/failures.ts";
import { optionalFlag, optionalObject, optionalText, requiredText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/notifications.md#push-providers",
  onBehalfOf: "unsupported",
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
      handler: (call) => reply({ pushProviders: providersOf(call, service) }),
    },
    {
      ...base,
      operationId: id("add"),
      method: "POST",
      path: many,
      assumptions: [
        "`providerId` is required; a duplicate one is refused.",
        "The first provider is the default.",
      ],
      handler: (call) => add(call, service),
    },
    {
      ...base,
      operationId: id("update"),
      method: "PUT",
      path: many,
      assumptions: ["An unknown providerId is refused with ERR_BAD_REQUEST."],
      handler: (call) => update(call, service),
    },
    {
      ...base,
      operationId: id("delete"),
      method: "DELETE",
      path: `${many}/{providerId}`,
      handler: (call) => {
        deleteDocument(call.db, call.app.appId, kindOf(service), requireProvider(call, service).id);
        return reply({ success: true });
      },
    },
    {
      ...base,
      operationId: id("default"),
      method: "PUT",
      path: `${many}/default/{providerId}`,
      handler: (call) => makeDefault(call, service, requireProvider(call, service).id),
    },
  ];
}

function add(call: AppCall, service: Service): Reply {
  const { appId } = call.app;
  const providerId = requiredText(call.body, "providerId");
  if (getDocument(call.db, appId, kindOf(service), providerId) !== undefined) {
    throw badRequest({ providerId: `The provider ${providerId} already exists.` });
  }
  const isFirst = providersOf(call, service).length === 0;
  const stored = { providerId, ...readFields(call.body, service), isDefault: isFirst };
  putDocument(call.db, appId, kindOf(service), providerId, stored);
  // The two creations answer differently (docs/platform/notifications.md#push-providers).
  return reply(service === "fcm" ? { success: true } : { pushProviders: providersOf(call, service) });
}

function update(call: AppCall, service: Service): Reply {
  const { id, stored } = requireProvider(call, service, requiredText(call.body, "providerId"));
  putDocument(call.db, call.app.appId, kindOf(service), id, { ...stored, ...readFields(call.body, service) });
  return reply({ success: true });
}

function makeDefault(call: AppCall, service: Service, providerId: string): Reply {
  call.db.transaction(() => {
    for (const provider of providersOf(call, service)) {
      const id = String(provider.providerId);
      const changed = { ...provider, isDefault: id === providerId };
      putDocument(call.db, call.app.appId, kindOf(service), id, changed);
    }
  });
  return reply({ success: true });
}

function providersOf(call: AppCall, service: Service): JsonObject[] {
  return listDocuments(call.db, call.app.appId, kindOf(service));
}

function requireProvider(call: AppCall, service: Service, id = call.param("providerId")) {
  const stored = getDocument(call.db, call.app.appId, kindOf(service), id);
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
