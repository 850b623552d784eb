import { ensureField, required } from "../errors/platform-error.ts";
import { optionalFlag, optionalObject, optionalText, readFields, requiredText } from "../http/fields.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { type Channel, providerKind } from "./provider.ts";

const route = appFamily("docs/internals/platform/notifications.md#notifications");

type Fields = Record<string, typeof optionalText | typeof optionalFlag | typeof optionalObject>;

type SingleProvider = {
  channel: Channel;
  name: string;
  idOf: (verb: "list" | "save" | "update" | "delete") => string;
  fields: Fields;
  optional?: readonly string[];
};

/** One of each per app. Twilio and SendGrid are only stored; the custom ones are called. */
export const singleProviderRoutes = [
  ...routesOf({
    channel: "sms",
    name: "twilio",
    idOf: (verb) => `notifications-sms-${verb}-twilio-details`,
    fields: {
      twilioAccountSID: optionalText,
      twilioAuthToken: optionalText,
      twilioSenderPhoneNumber: optionalText,
      isEnabled: optionalFlag,
    },
    optional: ["isEnabled"],
  }),
  ...routesOf({
    channel: "email",
    name: "sendgrid",
    idOf: (verb) => `notifications-email-${verb}-sendgrid-details`,
    fields: {
      sendGridApiKey: optionalText,
      sendGridTemplateID: optionalText,
      sendGridUnsubscribeGroupID: optionalText,
      senderName: optionalText,
      senderEmail: optionalText,
      allowEmailReplies: optionalFlag,
      isEnabled: optionalFlag,
      senderEmailForReplies: optionalText,
    },
    optional: ["isEnabled", "senderEmailForReplies"],
  }),
  ...customRoutes("push"),
  ...customRoutes("sms", { useStoredPhNo: optionalFlag }),
  ...customRoutes("email", { useStoredEmailID: optionalFlag }),
];

function customRoutes(channel: Channel, flags: Fields = {}) {
  return routesOf({
    channel,
    name: "custom",
    idOf: (verb) => `notifications-${verb}-${channel}-custom-provider`,
    fields: {
      isEnabled: optionalFlag,
      webhookURL: optionalText,
      basicAuthUsername: optionalText,
      basicAuthPassword: optionalText,
      useBasicAuth: optionalFlag,
      ...flags,
    },
  });
}

function routesOf(provider: SingleProvider) {
  const { channel, name, idOf, fields, optional = [] } = provider;
  const path = `/notifications/${channel}/v1/providers/${name}`;
  const id = `${channel}-${name}`;
  // Shown as a list of one.
  const show = (stored: JsonObject | undefined) =>
    id === "push-custom" ? { pushProviders: stored === undefined ? [] : [stored] } : (stored ?? {});
  const save = (request: AppRequest, stored: JsonObject) => {
    const changed: JsonObject = { ...stored, ...readFields(request.body, fields) };
    if (changed.allowEmailReplies === true) {
      changed.repliesWebhook = `https://notifications-${request.app.region}.cometchat.io/email/v1/sendgrid/replies?token=${request.appId}`;
    }
    putDocument(request, providerKind, id, changed);
    request.redactor.refresh();
    return show(changed);
  };
  return [
    route(idOf("list"), `GET ${path}`, (request) => show(getDocument(request, providerKind, id)), [
      "Without a provider the answer is empty.",
    ]),
    route(
      idOf("save"),
      `POST ${path}`,
      (request) => {
        for (const field of Object.keys(fields)) {
          if (!optional.includes(field)) required(request.body[field], field);
        }
        return save(request, {});
      },
      ["Saving again replaces the provider.", "Secrets are echoed."],
    ),
    route(
      idOf("update"),
      `PUT ${path}`,
      (request) => {
        const stored = getDocument(request, providerKind, id);
        ensureField(stored !== undefined, "provider", `There is no ${name} provider.`);
        return save(request, stored);
      },
      ["Without a provider the update is refused."],
      { input: { needs: { any: Object.keys(fields) } } },
    ),
    route(
      idOf("delete"),
      `DELETE ${path}`,
      (request) => {
        deleteDocument(request, providerKind, id);
        return { success: true };
      },
      ["Deleting what is not there succeeds."],
    ),
  ];
}

const pushRoute = appFamily("docs/internals/platform/notifications.md#push-providers");

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

/** Several of each per app, and one default. */
export const pushProviderRoutes = [...pushRoutesOf("fcm"), ...pushRoutesOf("apns")];

type Service = "fcm" | "apns";

function pushRoutesOf(service: Service) {
  const many = `/notifications/push/v1/providers/${service}`;
  const id = (verb: string, plural = "") => `notifications-push-${verb}-${service}-provider${plural}`;
  return [
    pushRoute(
      id("list", "s"),
      `GET ${many}`,
      (request) => ({ pushProviders: providersOf(request, service) }),
      ["An entry is the stored body with `isDefault`."],
    ),
    pushRoute(
      id("add"),
      `POST ${many}`,
      (request) => addPush(request, service),
      ["`providerId` is required; a duplicate one is refused.", "The first provider is the default."],
      { input: service === "fcm" ? { body: fcmShape } : {} },
    ),
    pushRoute(id("update"), `PUT ${many}`, (request) => updatePush(request, service), unknownRefused, {
      input: service === "fcm" ? { body: fcmShape } : {},
    }),
    pushRoute(
      id("delete"),
      `DELETE ${many}/{providerId}`,
      (request) => {
        deleteDocument(request, kindOf(service), requireProvider(request, service).providerId);
        return { success: true };
      },
      unknownRefused,
    ),
    pushRoute(
      id("default"),
      `PUT ${many}/default/{providerId}`,
      (request) => makeDefault(request, service),
      unknownRefused,
    ),
  ];
}

function addPush(request: AppRequest, service: Service) {
  const providerId = requiredText(request.body, "providerId");
  ensureField(
    getDocument(request, kindOf(service), providerId) === undefined,
    "providerId",
    `The provider ${providerId} already exists.`,
  );
  const isDefault = providersOf(request, service).length === 0;
  const stored = { providerId, ...readFields(request.body, fieldsOf[service]), isDefault };
  putDocument(request, kindOf(service), providerId, stored);
  // The two creations answer differently (docs/internals/platform/notifications.md#push-providers).
  return service === "fcm" ? { success: true } : { pushProviders: providersOf(request, service) };
}

function updatePush(request: AppRequest, service: Service) {
  const stored = requireProvider(request, service, requiredText(request.body, "providerId"));
  const changed = { ...stored, ...readFields(request.body, fieldsOf[service]) };
  putDocument(request, kindOf(service), stored.providerId, changed);
  return { success: true };
}

function makeDefault(request: AppRequest, service: Service) {
  const { providerId } = requireProvider(request, service);
  for (const provider of providersOf(request, service)) {
    const isDefault = provider.providerId === providerId;
    putDocument(request, kindOf(service), provider.providerId, { ...provider, isDefault });
  }
  return { success: true };
}

type PushProvider = JsonObject & { providerId: string };

function providersOf(request: AppRequest, service: Service): PushProvider[] {
  return listDocuments(request, kindOf(service));
}

function requireProvider(request: AppRequest, service: Service, id = request.param("providerId")) {
  const stored = getDocument<PushProvider>(request, kindOf(service), id);
  ensureField(stored !== undefined, "providerId", `The provider ${id} does not exist.`);
  return stored;
}

const fieldsOf: Record<Service, Fields> = {
  fcm: {
    serviceAccountFilename: optionalText,
    serviceAccountCreds: optionalObject,
    notificationInPayload: optionalObject,
  },
  apns: {
    keyId: optionalText,
    teamId: optionalText,
    bundleId: optionalText,
    p8KeyFilename: optionalText,
    p8Key: optionalText,
    includeContentAvailable: optionalFlag,
    includeMutableContent: optionalFlag,
    productionMode: optionalFlag,
  },
};

function kindOf(service: Service) {
  return `push-provider-${service}`;
}
