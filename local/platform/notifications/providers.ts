import { badRequest } from "../errors/platform-error.ts";
import { optionalFlag, optionalText } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument, getDocument, putDocument } from "../store/documents.ts";
import { type Channel, providerKind } from "./tell-provider.ts";

const route = appFamily("docs/platform/notifications.md#notifications");

/**
 * Declares the providers of which an app has one each. Twilio and SendGrid are stored and echoed, nothing is sent through
 * them; the custom ones are called.
 */
export const singleProviderRoutes: readonly AppRoute[] = [
  ...routesOf({
    channel: "sms",
    name: "twilio",
    ids: idsOf("sms", "twilio-details"),
    required: ["twilioAccountSID", "twilioAuthToken", "twilioSenderPhoneNumber"],
    flags: ["isEnabled"],
  }),
  ...routesOf({
    channel: "email",
    name: "sendgrid",
    ids: idsOf("email", "sendgrid-details"),
    required: [
      "sendGridApiKey",
      "sendGridTemplateID",
      "sendGridUnsubscribeGroupID",
      "senderName",
      "senderEmail",
      "allowEmailReplies",
    ],
    flags: ["allowEmailReplies", "isEnabled"],
    optional: ["senderEmailForReplies"],
  }),
  ...customRoutes("push", []),
  ...customRoutes("sms", ["useStoredPhNo"]),
  ...customRoutes("email", ["useStoredEmailID"]),
];

type SingleProvider = {
  channel: Channel;
  name: string;
  ids: { list: string; save: string; update: string; delete: string };
  required: readonly string[];
  flags: readonly string[];
  optional?: readonly string[];
  /** The push provider is shown as a list of one. */
  isListed?: boolean;
};

function customRoutes(channel: Channel, flags: readonly string[]): AppRoute[] {
  const ids = {
    list: `notifications-list-${channel}-custom-provider`,
    save: `notifications-save-${channel}-custom-provider`,
    update: `notifications-update-${channel}-custom-provider`,
    delete: `notifications-delete-${channel}-custom-provider`,
  };
  return routesOf({
    channel,
    name: "custom",
    ids,
    required: ["isEnabled", "webhookURL", "basicAuthUsername", "basicAuthPassword", "useBasicAuth", ...flags],
    flags: ["isEnabled", "useBasicAuth", ...flags],
    isListed: channel === "push",
  });
}

function routesOf(provider: SingleProvider): AppRoute[] {
  const path = `/notifications/${provider.channel}/v1/providers/${provider.name}`;
  return [
    route(provider.ids.list, `GET ${path}`, (request) => reply(show(provider, find(request, provider))), {
      assumptions: ["Without a provider the answer is empty."],
    }),
    route(
      provider.ids.save,
      `POST ${path}`,
      (request) => {
        const missing = provider.required.find((field) => request.body[field] === undefined);
        if (missing !== undefined) throw badRequest({ [missing]: `The ${missing} field is required.` });
        return save(request, provider, {});
      },
      { assumptions: ["Saving again replaces the provider.", "Secrets are echoed."] },
    ),
    route(
      provider.ids.update,
      `PUT ${path}`,
      (request) => {
        const stored = find(request, provider);
        if (stored === undefined) throw badRequest({ provider: `There is no ${provider.name} provider.` });
        return save(request, provider, stored);
      },
      {
        input: { needs: { any: [...provider.required, ...provider.flags, ...(provider.optional ?? [])] } },
        assumptions: ["Without a provider the update is refused."],
      },
    ),
    route(
      provider.ids.delete,
      `DELETE ${path}`,
      (request) => {
        deleteDocument(request, providerKind, documentId(provider));
        return reply({ success: true });
      },
      { assumptions: ["Deleting what is not there succeeds."] },
    ),
  ];
}

function find(request: AppRequest, provider: SingleProvider): JsonObject | undefined {
  return getDocument(request, providerKind, documentId(provider));
}

function save(request: AppRequest, provider: SingleProvider, stored: JsonObject): Reply {
  const changed: JsonObject = { ...stored };
  for (const field of [...provider.required, ...provider.flags, ...(provider.optional ?? [])]) {
    const read = provider.flags.includes(field) ? optionalFlag : optionalText;
    const value = read(request.body, field);
    if (value !== undefined) changed[field] = value;
  }
  if (changed.allowEmailReplies === true) {
    changed.repliesWebhook = `https://notifications-${request.app.region}.cometchat.io/email/v1/sendgrid/replies?token=${request.appId}`;
  }
  putDocument(request, providerKind, documentId(provider), changed);
  request.redactor.refresh();
  return reply(show(provider, changed));
}

function show({ isListed }: SingleProvider, stored: JsonObject | undefined): JsonObject {
  if (isListed === true) return { pushProviders: stored === undefined ? [] : [stored] };
  return stored ?? {};
}

function documentId({ channel, name }: SingleProvider): string {
  return `${channel}-${name}`;
}

function idsOf(channel: Channel, what: string): SingleProvider["ids"] {
  return {
    list: `notifications-${channel}-list-${what}`,
    save: `notifications-${channel}-save-${what}`,
    update: `notifications-${channel}-update-${what}`,
    delete: `notifications-${channel}-delete-${what}`,
  };
}
